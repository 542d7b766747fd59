import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { launcher } from "../support/binary.ts";
import { claude } from "./support/hooks.ts";
import { addWorktree, command, commitFile, git, makeMachine, makePlace } from "./support/place.ts";
import type { Place } from "./support/place.ts";

interface Told {
  status: number | null;
  /** Findings that are neither in order nor mere information. */
  faults: string[];
  text: string;
}

async function doctor(
  place: Pick<Place, "environment"> & { root: string },
  directory: string = place.root,
  environment: Record<string, string> = {},
): Promise<Told> {
  const run = await command(place, ["doctor"], { directory, environment });
  // A machine that is busy sees how far the doctor has come.
  expect(run.stderr.replaceAll(/^majordomus: \d+ of \d+ part\(s\)\n/gmu, "")).toBe("");
  const lines = run.stdout.split("\n").filter((line) => /^(?:FAIL|WARN)/u.test(line));
  return { status: run.status, faults: lines, text: run.stdout };
}

/** Installs hooks from `directory` and has one session begin in it. */
async function live(place: Place, root: string, directory = root): Promise<void> {
  const installed = await command(place, ["hooks", "install", "claude-code"], { directory });
  expect(installed).toMatchObject({ status: 0, stderr: "" });
  await claude(place, "SessionStart", `live-${root.length}`, { fields: { cwd: directory }, root, directory });
}

interface Health {
  doctor: number | null;
  watch: number | null;
  /** What is not in order, by either. */
  faults: string[];
}

const WELL: Health = { doctor: 0, watch: 0, faults: [] };

async function healthOf(place: Place, directory: string): Promise<Health> {
  const told = await doctor(place, directory);
  const watch = await command(place, ["watch"], { directory });
  const drift = watch.stdout.split("\n").filter((line) => line.startsWith("DRIFT"));
  return { doctor: told.status, watch: watch.status, faults: [...told.faults, ...drift] };
}

test("a healthy plain repository is green, from its root and from below", async () => {
  const place = await makePlace();
  await live(place, place.root);
  expect(await healthOf(place, place.root)).toEqual(WELL);
  const below = join(place.root, "src", "deep");
  mkdirSync(below, { recursive: true });
  expect(await healthOf(place, below)).toEqual(WELL);
});

test("a healthy linked worktree is green, and so is the one it came from", async () => {
  const place = await makePlace();
  const lane = addWorktree(place, "lane");
  await live(place, lane);
  expect(await healthOf(place, lane)).toEqual(WELL);
  await claude(place, "SessionStart", "main", { fields: { cwd: place.root }, root: place.root });
  expect(await healthOf(place, place.root)).toEqual(WELL);
});

test("healthy worktrees of a bare repository are green", async () => {
  const place = await makePlace();
  const bare = join(place.directory, "bare.git");
  git(place.directory, "clone", "-q", "--bare", place.root, bare);
  const one = join(place.directory, "one");
  git(bare, "worktree", "add", "-q", one, "main");
  const two = join(place.directory, "two");
  git(bare, "worktree", "add", "-q", "-b", "two", two, "main");
  await live(place, one);
  await claude(place, "SessionStart", "two", { fields: { cwd: two }, root: two, directory: two });
  expect(await healthOf(place, one)).toEqual(WELL);
  expect(await healthOf(place, two)).toEqual(WELL);
});

test("a healthy submodule is green", async () => {
  const place = await makePlace();
  const machine = makeMachine();
  const outer = join(machine.directory, "outer");
  mkdirSync(outer);
  git(outer, "init", "-q", "-b", "main");
  git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", place.root, "inner");
  git(outer, "commit", "-q", "-m", "Add the submodule");
  const inner = join(outer, "inner");
  const there: Place = { ...machine, root: inner };
  await live(there, inner);
  expect(await healthOf(there, inner)).toEqual(WELL);
});

test("a healthy repository without commits is green", async () => {
  const machine = makeMachine();
  const root = join(machine.directory, "fresh");
  mkdirSync(root);
  git(root, "init", "-q", "-b", "main");
  const place: Place = { ...machine, root };
  expect((await command(place, ["init"])).status).toBe(0);
  await live(place, root);
  expect(await healthOf(place, root)).toEqual(WELL);
});

test("a healthy shallow clone is green", async () => {
  const place = await makePlace();
  commitFile(place.root, "more.txt", "1\n");
  const clone = join(place.directory, "shallow");
  git(place.directory, "clone", "-q", "--depth", "1", `file://${place.root}`, clone);
  await live(place, clone);
  expect(await healthOf(place, clone)).toEqual(WELL);
});

interface Settings {
  hooks: Record<string, { matcher?: string; hooks: { command: string; args: string[] }[] }[]>;
}

function alter(root: string, change: (settings: Settings) => void): void {
  const path = join(root, ".claude/settings.local.json");
  const settings = JSON.parse(readFileSync(path, "utf8")) as Settings;
  change(settings);
  writeFileSync(path, JSON.stringify(settings, null, 2));
}

test("doctor names hooks that are absent, broken, leave a source out, or start an old program", async () => {
  const place = await makePlace();
  expect((await doctor(place)).faults).toEqual([
    expect.stringMatching(/^FAIL hooks {7}hooks — no provider hook/u),
  ]);
  await live(place, place.root);
  const path = join(place.root, ".claude/settings.local.json");
  const whole = readFileSync(path, "utf8");
  const cases: [string, (settings: Settings) => void, RegExp][] = [
    ["an entry that is gone", ({ hooks }) => delete hooks["SessionEnd"], /no hook for SessionEnd/u],
    [
      "a source that is left out",
      ({ hooks }) => {
        for (const group of hooks["SessionStart"] ?? []) group.matcher = "startup|resume";
      },
      /leaves out clear, compact, fork/u,
    ],
    [
      "a program that is not there",
      ({ hooks }) => {
        for (const group of Object.values(hooks).flat()) {
          for (const hook of group.hooks) hook.args[0] = join(place.directory, "nowhere", "majordomus");
        }
      },
      /nowhere\/majordomus is missing/u,
    ],
    [
      "an interpreter that cannot be started",
      ({ hooks }) => {
        const interpreter = join(place.directory, "not-executable");
        writeFileSync(interpreter, "#!/bin/sh\n");
        for (const group of Object.values(hooks).flat()) {
          for (const hook of group.hooks) hook.command = interpreter;
        }
      },
      /not-executable is missing or not executable/u,
    ],
    [
      "an old program",
      ({ hooks }) => {
        const old = join(place.directory, "old", "bin", "majordomus");
        mkdirSync(dirname(old), { recursive: true });
        writeFileSync(old, "#!/usr/bin/env node\n");
        writeFileSync(
          join(place.directory, "old", "package.json"),
          '{"name":"majordomus","version":"0.0.1"}',
        );
        for (const group of Object.values(hooks).flat()) for (const hook of group.hooks) hook.args[0] = old;
      },
      /is version 0\.0\.1, older than this one/u,
    ],
  ];
  for (const [what, change, said] of cases) {
    writeFileSync(path, whole);
    alter(place.root, change);
    const told = await doctor(place);
    expect(told.status, what).toBe(10);
    expect(told.faults, what).toContainEqual(expect.stringMatching(said));
  }
  writeFileSync(path, whole);
  const bin = join(place.directory, "path");
  mkdirSync(bin);
  writeFileSync(join(bin, "majordomus"), "#!/bin/sh\necho 0.0.1\n");
  chmodSync(join(bin, "majordomus"), 0o755);
  const PATH = `${bin}:${place.environment["PATH"] ?? ""}`;
  const told = await doctor(place, place.root, { PATH });
  expect(told.status).toBe(10);
  expect(told.faults).toEqual([expect.stringMatching(/^FAIL environment .*this version, 0\.0\.1, older/u)]);
});

test("hooks that say nothing during five commits are warned of, and status says since when", async () => {
  const place = await makePlace();
  await live(place, place.root);
  for (let number = 0; number < 5; number += 1) commitFile(place.root, `file-${number}.txt`, "1\n");
  const told = await doctor(place);
  expect(told.faults).toEqual([
    expect.stringMatching(
      /^WARN hooks .*no hook has been received here since .*and 5 commits were made since; likely/u,
    ),
  ]);
  expect(told.status).toBe(0);
  const status = await command(place, ["status"]);
  expect(status.status).toBe(10);
  expect(status.stdout).toMatch(/no hook has been received here since/u);
  expect((await command(place, ["watch"])).status).toBe(11);
});

test("a finish that is killed at any write is completed by the next, and doubles nothing", async () => {
  for (let operation = 1; ; operation += 1) {
    const place = await makePlace();
    const note = join(place.directory, "note.md");
    writeFileSync(note, "# Objective\na\n# Current State\nb\n# Next Action\nc\n");
    expect((await command(place, ["start", "work", "--scope", "."])).status).toBe(0);
    const finish = ["finish", "--outcome", "completed", "--verify-command", "true", "--note", note];
    const faults = `kill@${operation}:write,rename,link`;
    const killed = await command(place, finish, { environment: { MAJORDOMUS_FAULT: faults } });
    if (killed.status === 0) {
      expect(operation).toBeGreaterThan(3);
      break;
    }
    expect(killed.signal).toBe("SIGKILL");
    const again = await command(place, finish);
    const state = join(place.root, ".ai/local/state");
    // Killed after its last write, it was whole: then there is nothing left to do, and that is said.
    expect([0, 15], `${operation}: ${again.stdout}${again.stderr}`).toContain(again.status);
    const lines = readFileSync(join(state, "ledger.jsonl"), "utf8").split("\n");
    expect(lines.filter((line) => line.includes('"event":"task.finished"'))).toHaveLength(1);
    expect(readFileSync(join(state, "current.yaml"), "utf8")).toContain("outcome: completed\n");
    expect((await command(place, ["watch"])).stdout).not.toMatch(/^DRIFT (?:state|verification)/mu);
  }
});

test("a project's own hooks are green while the shim finds the program", async () => {
  const place = await makePlace();
  const bin = join(place.directory, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "majordomus"), `#!/bin/sh\nexec "${process.execPath}" "${launcher()}" "$@"\n`);
  chmodSync(join(bin, "majordomus"), 0o755);
  const PATH = `${bin}:${place.environment["PATH"] ?? ""}`;
  const there: Place = { ...place, environment: { ...place.environment, PATH } };
  const installed = await command(there, ["hooks", "install", "claude-code", "--project"]);
  expect(installed).toMatchObject({ status: 0, stderr: "" });
  await claude(there, "SessionStart", "shim", { fields: { cwd: place.root }, root: place.root });
  expect(await healthOf(there, place.root)).toEqual(WELL);
  renameSync(join(bin, "majordomus"), join(bin, "elsewhere"));
  const told = await doctor(there);
  expect(told.status).toBe(10);
  expect(told.faults).toContainEqual(expect.stringMatching(/the shim finds majordomus neither on PATH/u));
  rmSync(bin, { recursive: true });
});
