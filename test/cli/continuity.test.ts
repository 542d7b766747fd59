import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { PlanAnswer } from "../../src/core/continuity/plan-answer.ts";
import { bodyOf, newTeam } from "../core/continuity/support/machines.ts";
import type { Machine } from "../core/continuity/support/machines.ts";
import { runLine } from "../support/run-program.ts";
import type { ProgramRun } from "../support/run-program.ts";

let minute = 0;

async function run(machine: Machine, words: readonly string[], stdin?: string): Promise<ProgramRun> {
  const environment = Object.fromEntries(
    Object.entries(machine.environment).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  );
  minute += 1;
  return runLine(words, {
    directory: machine.root,
    environment,
    now: Date.UTC(2026, 10, 30, 12, minute),
    ...(stdin === undefined ? {} : { stdin }),
  });
}

async function act(machine: Machine, line: string, stdin?: string): Promise<string> {
  const { status, stdout, stderr } = await run(machine, line.split(" "), stdin);
  expect(status, `${line}: ${stdout}${stderr}`).toBe(0);
  return stdout;
}

async function handOver(machine: Machine, objective: string): Promise<void> {
  await act(machine, "handover --no-task", bodyOf(objective));
  await act(machine, "continuity publish");
}

interface Planned {
  said: [status: string, exit: number, blockers: string[], warnings: string[]];
  commands: string[];
}

async function plan(machine: Machine, record?: string): Promise<Planned> {
  const words = ["continuity", "plan", ...(record === undefined ? [] : ["--record", record]), "--json"];
  const { status, stdout } = await run(machine, words);
  const answer = JSON.parse(stdout) as PlanAnswer;
  const codes = (reasons: PlanAnswer["blockers"]): string[] => reasons.map(({ code }) => code);
  return {
    said: [answer.status, status, codes(answer.blockers), codes(answer.warnings)],
    commands: answer.actions.map(({ command }) => command),
  };
}

/** Runs a recommended command, taken apart as a shell takes it apart; it must do what it is there for. */
async function follow(machine: Machine, command: string | undefined): Promise<ProgramRun | undefined> {
  const words = execFileSync("sh", ["-c", `printf '%s\\0' ${command}`], { encoding: "utf8" });
  const [program, ...rest] = words.split("\0").slice(0, -1);
  if (program === "git") {
    machine.git(...rest);
    return undefined;
  }
  expect(program).toBe("majordomus");
  const done = await run(machine, rest);
  expect(done.status, `${command}: ${done.stdout}${done.stderr}`).toBe(0);
  return done;
}

async function publicKey(machine: Machine): Promise<string> {
  const device = JSON.parse(await act(machine, `continuity device --label ${machine.name} --json`)) as {
    public_key: string;
  };
  return device.public_key;
}

it("what a plan recommends works, from nothing at all to work that was continued twice", async () => {
  const team = await newTeam();
  const [a, b] = [team.machine("laptop"), team.machine("desktop")];
  const nothing = await plan(b);
  expect(nothing.said).toEqual(["nothing_to_resume", 0, [], []]);
  await follow(b, nothing.commands[0]);

  const keys = [await publicKey(a), await publicKey(b)];
  mkdirSync(join(a.root, ".ai/repo/mesh"), { recursive: true });
  writeFileSync(
    join(a.root, ".ai/repo/mesh/team.yaml"),
    `schema: mesh/v1\nkind: mesh-declaration\nid: team\ntrust:\n  policy: allowlist\n  allow: [${keys.join(", ")}]\n`,
  );
  a.git("add", "-A");
  a.git("commit", "-q", "-m", "Say who is trusted");
  a.git("push", "-q");
  const title = `-it's "the" $(callback) *`;
  const started = await run(a, ["start", "--scope", "src", "--profile", "routine", "--", title]);
  expect(started.status, started.stderr).toBe(0);
  a.commit("src/a.ts", "a\n");
  await act(a, "handover", bodyOf("Fix it"));
  await act(a, "continuity publish");
  await act(a, "continuity sync");

  expect((await plan(b)).said[0]).toBe("nothing_to_resume");
  await follow(b, (await plan(b)).commands[0]);
  // The trunk that this clone knows has no declaration yet.
  const missing = await plan(b);
  expect(missing.said).toEqual(["requires_source_update", 10, ["head_missing"], ["origin_undeclared"]]);
  a.git("push", "-q");
  await follow(b, missing.commands[0]);
  const behind = await plan(b);
  expect(behind.said).toEqual(["requires_source_update", 10, ["local_behind"], []]);
  await follow(b, behind.commands[0]);
  const ready = await plan(b);
  expect(ready.said).toEqual(["ready", 0, [], []]);
  for (const command of ready.commands) await follow(b, command);
  expect(await act(b, "status --short")).toContain(title);
  expect(await act(b, "handover --resolve")).toContain("Fix it");
  expect((await plan(b)).said).toEqual(["nothing_to_resume", 0, [], ["nothing_published"]]);

  // Nobody allows this one.
  const c = team.machine("stranger");
  await act(c, "continuity sync");
  await handOver(c, "Something else");
  await act(c, "continuity sync");
  await act(b, "continuity sync");
  const refused = await plan(b);
  expect(refused.said).toEqual(["refused", 10, ["origin_untrusted"], []]);
  expect((await follow(b, refused.commands[0]))?.stdout).toMatch(/^Public key: {2}[0-9a-f]{64}$/m);
  const hide = `continuity hide ${refused.commands[0]?.split(" ").at(-1)}`;
  await act(b, hide);

  // The same work is gone on with on both machines.
  await handOver(b, "Go on here");
  await act(b, "continuity sync");
  await handOver(a, "Go on there");
  await act(a, "continuity sync");
  await act(a, hide);
  const conflict = await plan(a);
  expect(conflict.said.slice(0, 3)).toEqual(["conflict", 10, ["line_diverged", "would_diverge"]]);
  for (const command of conflict.commands.filter((line) => line.startsWith("majordomus continuity plan "))) {
    await follow(a, command);
  }
  const d = team.machine("third");
  await act(d, "continuity sync");
  await act(d, hide);
  d.git("pull", "-q");
  const choose = await plan(d);
  expect(choose.said).toEqual(["choose_record", 10, ["several_resumable"], []]);
  const [first] = choose.commands;
  await follow(d, first);
  const named = await plan(d, first?.split(" ").at(-1));
  expect(named.said.slice(0, 2)).toEqual(["ready_with_warnings", 0]);
  expect(named.said[3]).toContain("line_diverged");
  await follow(d, named.commands[0]);
  expect((await plan(d, first?.split(" ").at(-1))).said[3]).toContain("already_resumed");
});

it("what is said of the remote is as of the last look where it was not reached, and nothing where it is none", async () => {
  const team = await newTeam();
  const machine = team.machine("a");
  await handOver(machine, "One");
  expect(await act(machine, "continuity sync")).toContain("in_sync: in sync (origin)");
  const address = machine.git("remote", "get-url", "origin");
  machine.git("remote", "set-url", "origin", `${address}.away`);
  const away = await run(machine, ["continuity", "sync"]);
  expect(away.status).toBe(10);
  expect(away.stdout).toContain("in_sync: in sync as of the last look (origin)");
  expect(await act(machine, "continuity status")).toContain("in sync as of the last look (origin)");
  machine.git("remote", "remove", "origin");
  for (const line of ["continuity status", "continuity sync"]) {
    expect(await act(machine, line)).toContain("1 record(s); no_remote: no remote to sync with\n");
  }
});

it("a record that is named and not here is told by the same exit status, whatever was to be done with it", async () => {
  const machine = (await newTeam()).machine("a");
  for (const words of ["plan", "resume"]) {
    const { status, stdout } = await run(machine, ["continuity", words, "--record", "ffff"]);
    expect([status, stdout]).toEqual([12, expect.stringContaining("blocker record_unknown")]);
  }
});
