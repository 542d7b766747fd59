import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { PROGRAM, runBuilt, startBuilt } from "../support/built.ts";
import { newRepository } from "../support/repository.ts";
import { scratchDirectory } from "../support/scratch.ts";

/** A repository of this test's own, with a layer. */
function layered(): string {
  const root = newRepository();
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  expect(runBuilt(["init"], { directory: root }).status).toBe(0);
  return root;
}

const PAYLOADS = join(dirname(PROGRAM), "..", "test", "fixtures", "payloads");
const { version } = JSON.parse(readFileSync(join(dirname(PROGRAM), "..", "package.json"), "utf8"));

describe("the start of the program", () => {
  it("prints its version and its help from anywhere", () => {
    expect(runBuilt(["--version"], { directory: "/" })).toEqual({
      status: 0,
      stdout: `${version}\n`,
      stderr: "",
    });
    const { status, stdout, stderr } = runBuilt(["--help"], { directory: "/" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("session");
  });

  it("shows help of a hook, and does nothing else", () => {
    const root = layered();
    const { status, stdout } = runBuilt(["hook", "Stop", "--help"], { directory: root });
    expect(status).toBe(0);
    expect(stdout).toContain("majordomus hook");
  });

  it("says what is wrong with an input, and where", () => {
    const root = layered();
    const refusal = (id: string, input: object): string => {
      const { status, stderr } = runBuilt(["run", id, "--input", JSON.stringify(input)], { directory: root });
      expect(status).toBe(2);
      return stderr;
    };
    expect(refusal("lifecycle.closed", { windows: 1 })).toContain("lifecycle.closed: unknown key windows");
    expect(refusal("question.add", {})).toContain("question.add question: is missing");
  });

  it("says in one line that it was not built; a hook still does not fail its tool", () => {
    const copy = scratchDirectory();
    mkdirSync(join(copy, "bin"));
    cpSync(PROGRAM, join(copy, "bin", "majordomus"));
    cpSync(join(dirname(PROGRAM), "package.json"), join(copy, "bin", "package.json"));
    const run = (...words: string[]) =>
      spawnSync(process.execPath, [join(copy, "bin", "majordomus"), ...words], { encoding: "utf8" });
    expect(run("status")).toMatchObject({ status: 13, stdout: "" });
    expect(run("status").stderr).toMatch(/^majordomus: \S+cli\.cjs is missing; [^\n]+\n$/u);
    expect(run("hook", "Stop")).toMatchObject({ status: 0, stdout: "" });
  });

  it("says in one line that Node is too old", () => {
    const pretend = join(scratchDirectory(), "pretend.cjs");
    for (const [old, refused] of [
      ["18.20.0", true],
      ["20.18.9", true],
      ["20.19.0", false],
      ["22.0.0", false],
    ] as const) {
      writeFileSync(
        pretend,
        `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${old}" } });`,
      );
      const run = spawnSync(process.execPath, ["-r", pretend, PROGRAM, "--version"], { encoding: "utf8" });
      expect(run.status, old).toBe(refused ? 13 : 0);
      if (refused) expect(run.stderr).toMatch(/^majordomus: Node \S+ is too old; [^\n]+\n$/u);
    }
  });

  it("works through a link, as npm installs it", () => {
    const directory = scratchDirectory();
    const run = spawnSync("sh", ["-c", `ln -s '${PROGRAM}' m && ./m --version`], {
      cwd: directory,
      encoding: "utf8",
    });
    expect(run).toMatchObject({ status: 0, stdout: `${version}\n` });
  });

  it("says what is wrong when its directory is gone", () => {
    const directory = scratchDirectory();
    const run = spawnSync("sh", ["-c", `rmdir '${directory}' && '${process.execPath}' '${PROGRAM}' status`], {
      cwd: directory,
      encoding: "utf8",
    });
    mkdirSync(directory, { recursive: true });
    expect(run).toMatchObject({ status: 2, stdout: "" });
    expect(run.stderr).toMatch(/^majordomus: [^\n]*is not inside a git repository[^\n]*\n$/u);
  });
});

describe("a reader that leaves early", () => {
  it("does not stop a command from finishing what it changes", () => {
    const root = layered();
    const { status } = spawnSync("sh", ["-c", `'${process.execPath}' '${PROGRAM}' session start | true`], {
      cwd: root,
    });
    expect(status).toBe(0);
    const shown = runBuilt(["session", "status", "--json"], { directory: root });
    expect(JSON.parse(shown.stdout).open).not.toBeNull();
    expect(runBuilt(["session", "close"], { directory: root }).status).toBe(0);
  });

  it("is not an error", () => {
    const root = layered();
    const script = `'${process.execPath}' '${PROGRAM}' capabilities --json | head -c 10`;
    const { status, stderr } = spawnSync("sh", ["-c", script], { cwd: root, encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});

describe("history --follow", () => {
  it("prints what is appended, through a rotation, until its reader leaves", async () => {
    const root = layered();
    const ledger = join(root, ".ai/local/state/ledger.jsonl");
    const line = (second: number, task: string): string =>
      `{"ts":"2026-11-30T12:00:0${second}Z","event":"task.checkpoint","head":"NONE","branch":"main","by":"t","task_id":"${task}"}\n`;
    const follower = startBuilt(["history", "--follow", "--event", "task.checkpoint"], { directory: root });
    let shown = "";
    follower.stdout?.on("data", (chunk: Buffer) => (shown += chunk.toString("utf8")));
    const ended = new Promise((resolve) => {
      follower.once("exit", resolve);
    });
    const waitFor = (text: string) => vi.waitFor(() => expect(shown).toContain(text), { timeout: 30_000 });
    appendFileSync(ledger, line(1, "t-one"));
    await waitFor("t-one");
    appendFileSync(ledger, line(2, "t-two").slice(0, 40));
    appendFileSync(ledger, line(2, "t-two").slice(40));
    await waitFor("t-two");
    const policy = join(root, ".ai/repo/policy.yaml");
    const text = readFileSync(policy, "utf8");
    writeFileSync(policy, text.replace("retention_max_lines: 5000", "retention_max_lines: 1"));
    expect(runBuilt(["history", "--rotate"], { directory: root }).stdout).toMatch(
      /^moved \d+ line\(s\) to \.ai\//u,
    );
    writeFileSync(policy, text);
    appendFileSync(ledger, line(3, "t-three"));
    await waitFor("t-three");
    expect(shown.match(/t-one/gu)).toHaveLength(1);
    follower.stdout?.destroy();
    appendFileSync(ledger, line(4, "t-four"));
    appendFileSync(ledger, line(5, "t-five"));
    await vi.waitFor(
      () => {
        appendFileSync(ledger, line(6, "t-six"));
        expect(follower.exitCode).toBe(0);
      },
      { timeout: 30_000 },
    );
    await ended;
  });
});

describe("run and capabilities", () => {
  it("describe every capability with its schemas, and ask one by its id", () => {
    const root = layered();
    const listed = JSON.parse(runBuilt(["capabilities", "--json"], { directory: root }).stdout);
    const ids = listed.capabilities.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(ids.toSorted());
    expect(ids).toContain("lifecycle.episodes");
    for (const { input, output } of listed.capabilities)
      expect([input.type, typeof output]).toEqual(["object", "object"]);
    runBuilt(["session", "start"], { directory: root });
    const asked = runBuilt(["run", "history.query", "--input", "-"], {
      directory: root,
      stdin: '{"limit":1}',
    });
    expect(JSON.parse(asked.stdout).lines).toHaveLength(1);
  });

  it.each([
    [["run", "no.such"], "is not a capability"],
    [["run", "history.query", "--input", "{"], "is not JSON"],
    [["run", "history.query", "--input", '{"limit":0}'], "limit"],
    [["run", "history.query", "--input", '{"event":"no.such"}'], "is not a registered"],
    [["history", "--event", "no.such"], "is not a registered"],
    [["history", "--since", "yesterday"], "yesterday"],
    [["recover", "all", "--older-than", "soon"], "soon"],
    [["history", "--follow", "--rotate"], "exclude each other"],
  ])("%j is a wrong call", (line, message) => {
    const root = layered();
    const { status, stdout, stderr } = runBuilt(line, { directory: root });
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(message);
  });
});

describe("status", () => {
  it("is not green over hooks that are not there", () => {
    const root = layered();
    const { status, stdout } = runBuilt(["status"], { directory: root });
    expect(status).toBe(10);
    expect(stdout).toContain("Hooks:      not installed here, no event yet");
    expect(stdout).toMatch(/^FAIL hooks {7}/mu);
    const answer = runBuilt(["status", "--json"], { directory: root });
    expect(answer.status).toBe(10);
    expect(Object.keys(JSON.parse(answer.stdout))).toEqual([
      "schema",
      "state",
      "episodes",
      "providers",
      "hooks",
    ]);
    expect(runBuilt(["status", "--short"], { directory: root })).toEqual({
      status: 0,
      stdout: "no session · no task\n",
      stderr: "",
    });
  });
});

describe("status after hooks were heard of", () => {
  const hear = (root: string, provider: string) => {
    const payload = JSON.parse(readFileSync(join(PAYLOADS, provider, "SessionStart.json"), "utf8"));
    return runBuilt(["hook", "SessionStart", "--provider", provider], {
      directory: root,
      stdin: JSON.stringify({ ...payload, cwd: root }),
    });
  };

  it("is not green when they are not installed any more, and is for a tool that somebody wired by hand", () => {
    const root = layered();
    expect(hear(root, "claude-code")).toMatchObject({ status: 0, stderr: "" });
    const gone = runBuilt(["status"], { directory: root });
    expect(gone.stdout).toContain("not installed here, last claude-code SessionStart at ");
    expect(gone.status).toBe(10);
    expect(hear(root, "codex")).toMatchObject({ status: 0, stderr: "" });
    expect(runBuilt(["status"], { directory: root }).status).toBe(0);
  });
});

describe("hooks", () => {
  it("are installed, shown, and taken out again byte for byte", () => {
    const root = layered();
    const exclude = join(root, ".git/info/exclude");
    const before = readFileSync(exclude);
    const installed = runBuilt(["hooks", "install", "claude-code"], { directory: root });
    expect(installed).toMatchObject({ status: 0, stderr: "" });
    expect(installed.stdout).toMatch(/^created {3}\S+settings\.local\.json$/mu);
    const silent = runBuilt(["hooks", "status", "claude-code", "--json"], { directory: root });
    expect(JSON.parse(silent.stdout)).toMatchObject({ schema: 1, installed: true, silent: true });
    expect(runBuilt(["status"], { directory: root }).status).toBe(10);
    const settings = JSON.parse(readFileSync(join(root, ".claude/settings.local.json"), "utf8"));
    expect(JSON.stringify(settings)).toContain(PROGRAM);
    expect(runBuilt(["hooks", "uninstall", "claude-code"], { directory: root }).status).toBe(0);
    expect(readFileSync(exclude)).toEqual(before);
    expect(readdirSync(root)).not.toContain(".claude");
    expect(runBuilt(["hooks", "status", "claude-code"], { directory: root }).status).toBe(10);
  });

  it("go into one scope at a time", () => {
    const root = layered();
    const both = runBuilt(["hooks", "install", "claude-code", "--project", "--user"], { directory: root });
    expect(both).toMatchObject({ status: 2, stdout: "" });
  });
});

describe("the console without a terminal", () => {
  it("prints one frame of the size that is asked for", () => {
    const root = layered();
    const { status, stdout } = runBuilt(["tui", "--once", "--ascii", "--width", "80", "--height", "20"], {
      directory: root,
    });
    expect(status).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(20);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    expect(stdout).toContain("majordomus");
  });

  it("is refused where there is nothing to show", () => {
    const root = layered();
    expect(runBuilt(["tui", "--once"], { directory: "/" })).toMatchObject({ status: 2, stdout: "" });
    expect(runBuilt(["tui", "--json"], { directory: root })).toMatchObject({ status: 2 });
    writeFileSync(join(root, ".ai/local/keys.yaml"), "a: [\n");
    expect(runBuilt(["tui", "--once"], { directory: root })).toMatchObject({ status: 10, stdout: "" });
    rmSync(join(root, ".ai/local/keys.yaml"));
  });
});

describe("a store that cannot be written", () => {
  it("is a failure that is told, with the status that says so", () => {
    const root = layered();
    const run = runBuilt(["session", "start"], {
      directory: root,
      environment: { MAJORDOMUS_FAULT: "ENOSPC@1x500:write" },
    });
    expect(run.status).toBe(13);
    expect(run.stdout).toBe("");
    expect(run.stderr).toMatch(/^majordomus: [^\n]*ENOSPC[^\n]*\n$/u);
  });
});
