import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newPlace } from "../support/checkout.ts";
import { commitFile, git } from "../support/repository.ts";
import { runLine } from "../support/run-program.ts";

const NOW = Date.parse("2026-09-04T12:00:00Z");
const BODY = "# Objective\nSplit it.\n\n# Current State\nHalf.\n\n# Next Action\nWrite the test.\n";

async function place(): Promise<{ root: string; run: typeof runLine }> {
  const { root } = await newPlace();
  const run: typeof runLine = (line, options) => runLine(line, { directory: root, now: NOW, ...options });
  return { root, run };
}

const state = (root: string, ...parts: string[]): string => join(root, ".ai/local/state", ...parts);
const filesOf = (root: string, kind: string): string[] =>
  existsSync(state(root, kind)) ? readdirSync(state(root, kind)).filter((name) => name.endsWith(".md")) : [];

describe("a worker's day at the command line", () => {
  it("says in words that there is nothing to list", async () => {
    const { run } = await place();
    const told = async (...line: string[]): Promise<string> => (await run(line)).stdout;
    expect(await told("decision", "list")).toBe("No decision.\n");
    expect(await told("handover", "--list")).toBe("No handover.\n");
    expect(await told("checkpoint", "--list")).toBe("No checkpoint.\n");
  });

  it("derives beside the payload that a tool pipes into its hook, and beside blanks", async () => {
    const { run } = await place();
    for (const stdin of ['\n {"session_id":"s","hook_event_name":"PreCompact"}', " \n\t"]) {
      const derived = await run(["checkpoint", "--derive"], { stdin });
      expect(derived).toMatchObject({ status: 0, stderr: "" });
    }
  });

  it("goes from start to handover", async () => {
    const { root, run } = await place();
    const started = await run(["start", "split the parser", "--scope", "lib,README.md", "--owner", "dev"]);
    expect(started).toMatchObject({ status: 0, stderr: "" });
    expect(started.stdout).toMatch(/^task t-20260904120000-[0-9a-f]{4} started on main at [0-9a-f]{7}/);
    expect(await run(["start", "another", "--scope", "lib"])).toMatchObject({ status: 15, stdout: "" });

    const noted = await run(["checkpoint"], { stdin: "Reproduced.\n" });
    expect(noted).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\.ai\/local\/state\/checkpoints\/\S+\.md\n$/),
    });
    expect((await run(["checkpoint"], { stdin: "" })).stdout).toBe("no body: the checkpoint time moved\n");
    expect((await run(["checkpoint", "--derive"])).status).toBe(0);
    const shown = await run(["checkpoint", "--show"]);
    expect(shown.stdout).toMatch(
      /^Checkpoint: \.ai.*\nMatch: {6}same_worktree_same_branch\nGit state: {2}exact/,
    );
    expect((await run(["checkpoint", "--list"])).stdout.trim().split("\n")).toHaveLength(2);

    expect((await run(["decision", "add", "One cache", "--why", "two clocks"])).stdout).toBe(
      "decision: 2026-09-04 — One cache\n",
    );
    expect((await run(["decision", "show", "One cache"])).stdout).toContain("Why: two clocks\nRejected: -");
    await run(["decision", "add", "Two caches", "--why", "it was slow", "--supersedes", "One cache"]);
    expect((await run(["decision", "list"])).stdout).toMatch(
      /^2026-09-04 — One cache \(t-\S+\) \[superseded by 2026-09-04 — Two caches\]\n2026-09-04 — Two/,
    );
    expect((await run(["decision", "show", "One"])).stdout).toContain(
      "Superseded by: 2026-09-04 — Two caches",
    );
    expect((await run(["question", "add", "Which port?"])).status).toBe(0);
    expect((await run(["question", "list"])).stdout).toContain("Which port?");
    expect((await run(["question", "resolve", "port", "--answer", "8741"])).stdout).toBe(
      "resolved: Which port? — 8741\n",
    );
    expect((await run(["question", "list"])).stdout).toBe("No open question.\n");

    const handed = await run(["handover", "--close"], { stdin: BODY });
    expect(handed).toMatchObject({ status: 0, stderr: "" });
    expect(filesOf(root, "handovers")).toHaveLength(1);
    expect(readFileSync(state(root, "current.yaml"), "utf8")).toContain("outcome: handed_over");
    const path = (await run(["handover", "--path"])).stdout;
    expect(path).toBe(handed.stdout);
    const resolved = await run(["handover", "--resolve"]);
    expect(resolved.stdout).toContain("Created:    2026-09-04T12:00:00Z (0m ago)\nTask:       t-2026");
    expect(resolved.stdout).toContain(`---\n${BODY}`);
    expect(git(root, "status", "--porcelain")).toBe("");
  });

  it("six days later shows the record as history", async () => {
    const { root, run } = await place();
    await run(["handover", "--no-task"], { stdin: BODY });
    commitFile(root, "a.txt", "a");
    const later = { now: NOW + 6 * 24 * 3_600_000 };
    const { stdout } = await run(["handover", "--resolve"], later);
    expect(stdout).toContain("Freshness:  stale — 6d old");
    expect(stdout).toContain("HISTORICAL: its next action is not the thing to do");
    const context = await run(["context"], later);
    expect(context.stdout).not.toContain("Write the test.");
    const status = JSON.parse((await run(["run", "continuity.state"], later)).stdout) as {
      handover: Record<string, unknown>;
    };
    expect(status.handover).toMatchObject({ divergence: "advanced", freshness: "stale" });
    expect(status.handover["next_action"]).toBeUndefined();
    expect(status.handover["next_action_withheld"]).toMatch(/stale/);
  });
});

describe("what is refused", () => {
  it.each<[string, string[], string | undefined, number, string]>([
    ["a scope outside", ["start", "x", "--scope", "../y"], undefined, 15, "outside the repository"],
    ["no scope", ["start", "x"], undefined, 2, "scope"],
    [
      "an unknown profile",
      ["start", "x", "--scope", ".", "--profile", "none-such"],
      undefined,
      12,
      "none-such",
    ],
    ["a long checkpoint", ["checkpoint"], "x\n".repeat(41), 10, "majordomus handover"],
    ["an identity line", ["checkpoint"], "head: x", 10, "computed from git"],
    ["a body of 10 MB", ["checkpoint"], "x".repeat(10_000_000), 2, "standard input"],
    ["a handover without a task", ["handover"], BODY, 12, "--no-task"],
    ["an empty handover", ["handover", "--no-task"], "", 10, "empty"],
    [
      "placeholders",
      ["handover", "--no-task"],
      "# Objective\n<x>\n",
      10,
      "missing or empty section(s): Objective, Current State, Next Action",
    ],
    ["two acts at once", ["handover", "--derive", "--list"], undefined, 2, "exclude each other"],
    [
      "a body beside --derive",
      ["checkpoint", "--derive"],
      "typed\n",
      2,
      "holds a body, and --derive makes one",
    ],
    ["a handover beside --derive", ["handover", "--no-task", "--derive"], BODY, 2, "< /dev/null"],
    [
      "closing by listing",
      ["handover", "--list", "--close"],
      BODY,
      2,
      "--close and --list exclude each other",
    ],
    [
      "closing a task that is left out",
      ["handover", "--close", "--no-task", "--derive"],
      undefined,
      2,
      "--close and --no-task exclude each other",
    ],
    ["a path of what is written", ["checkpoint", "--derive", "--path"], "", 2, "--path and --derive exclude"],
    ["all of nothing", ["handover", "--all"], BODY, 2, "--all says something only beside --list"],
    [
      "a task to write for",
      ["checkpoint", "--task", "t-1"],
      "x",
      2,
      "only beside --show or --list or --path",
    ],
    [
      "a check that verifies",
      ["finish", "--check", "--verify-command", "true"],
      "",
      2,
      "--check and --verify-command",
    ],
    [
      "a check of a note",
      ["finish", "--note", "-", "--check"],
      BODY,
      2,
      "--check and --note exclude each other",
    ],
    [
      "a rotation of some lines",
      ["history", "--rotate", "--limit", "3"],
      "",
      2,
      "--rotate and --limit exclude",
    ],
    [
      "a judgement of some lines",
      ["history", "--validate", "--task", "t-1"],
      "",
      2,
      "--validate and --task exclude",
    ],
    ["no reason", ["decision", "add", "x"], undefined, 2, "--why"],
    [
      "an unknown predecessor",
      ["decision", "add", "x", "--why", "y", "--supersedes", "z"],
      undefined,
      2,
      "matches no decision",
    ],
    ["the separator", ["question", "add", "a — b"], undefined, 2, "separator"],
    [
      "an answer to nothing",
      ["question", "resolve", "x", "--answer", "y"],
      undefined,
      2,
      "matches no open question",
    ],
    ["no answer", ["question", "resolve", "x"], undefined, 2, "--answer"],
    ["a note without an episode", ["session", "note", "x"], undefined, 12, "none is open"],
    ["a prompt that there is not", ["context", "--prompt", "nope"], undefined, 12, "nope"],
  ])("%s, in one line, and nothing is written", async (_, line, stdin, status, words) => {
    const { root, run } = await place();
    const before =
      readFileSync(state(root, "decisions.md"), "utf8") +
      readFileSync(state(root, "open-questions.md"), "utf8");
    const outcome = await run(line, stdin === undefined ? {} : { stdin });
    expect(outcome).toMatchObject({ status, stdout: "" });
    expect(outcome.stderr).toContain(words);
    expect(outcome.stderr.trimEnd().split("\n")).toHaveLength(1);
    expect([filesOf(root, "checkpoints"), filesOf(root, "handovers")]).toEqual([[], []]);
    expect(existsSync(state(root, "current.yaml"))).toBe(false);
    expect(existsSync(state(root, "ledger.jsonl"))).toBe(false);
    expect(
      readFileSync(state(root, "decisions.md"), "utf8") +
        readFileSync(state(root, "open-questions.md"), "utf8"),
    ).toBe(before);
  });
});

describe("answers", () => {
  it("come as JSON from every read", async () => {
    const { root, run } = await place();
    await run(["start", "x", "--scope", "."]);
    await run(["handover"], { stdin: BODY });
    await run(["decision", "add", "d", "--why", "w"]);
    await run(["question", "add", "q"]);
    const read = async (...line: string[]): Promise<Record<string, unknown>> =>
      JSON.parse((await run([...line, "--json"])).stdout) as Record<string, unknown>;
    expect(await read("handover", "--resolve")).toMatchObject({
      handover: { next_action: "Write the test.", body: BODY },
    });
    expect(await read("handover", "--list")).toMatchObject({
      records: [{ match: "same_worktree_same_branch" }],
    });
    expect(await read("checkpoint", "--show")).toMatchObject({ schema: 1, checkpoint: null });
    expect(await read("checkpoint", "--list")).toMatchObject({ records: [] });
    expect(await read("decision", "list")).toMatchObject({ decisions: [{ title: "d" }] });
    expect(await read("question", "list")).toMatchObject({ open: [{ question: "q" }] });
    const context = await read("context", "--for", "codex", "--budget-lines", "200");
    expect(Object.keys(context)).toEqual([
      "schema",
      "generated_at",
      "provider",
      "git",
      "task",
      "sections",
      "excluded",
      "budget",
    ]);
    expect(context).toMatchObject({ provider: "codex", budget: { limit: 200, dropped: [] } });
    expect(await read("context", "--for", "gemini")).toMatchObject({ provider: "gemini-cli" });
    expect(await run(["context", "--for", "nope"])).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringMatching(/^majordomus: nope: is no provider that is known here; [^\n]+\n$/),
    });
    appendFileSync(
      join(root, ".ai/repo/policy.yaml"),
      "projections:\n  - provider: nope\n    target: NOPE.md\n",
    );
    expect((await run(["context", "--for", "nope"])).stdout).toContain(
      "# for nope, which always loads NOPE.md",
    );
  });

  it("say that nothing resolves, 0 for a person and 12 for a path", async () => {
    const { run } = await place();
    expect(await run(["handover", "--resolve"])).toMatchObject({
      status: 0,
      stdout: "No relevant handover.\n",
    });
    expect(await run(["handover", "--path"])).toMatchObject({ status: 12, stdout: "" });
  });

  it("name what is no record on standard error", async () => {
    const { root, run } = await place();
    await run(["handover", "--no-task"], { stdin: BODY });
    writeFileSync(state(root, "handovers", "1.md"), "nothing");
    expect((await run(["handover", "--resolve"])).stderr).toMatch(
      /^warning: skipped \.ai\/local\/state\/handovers\/1\.md: no front matter/,
    );
  });

  it("of a context that does not fit are printed whole, with 10", async () => {
    const { run } = await place();
    const { status, stdout } = await run(["context", "--budget-lines", "5"]);
    expect(status).toBe(10);
    expect(stdout).toMatch(/\n## BUDGET\n\d+ of 5 lines/);
  });

  it("of a context have a rendered prompt at their end, and name one that holds the context itself", async () => {
    const { run } = await place();
    expect((await run(["context", "--prompt", "debug"])).stdout).toContain("\n## PROMPT debug\n");
    expect((await run(["context", "--prompt", "continue"])).stdout).toContain(
      "- prompt continue — it contains the context itself",
    );
  });
});

describe("a note", () => {
  it("is appended to the working context of the open episode, from its words or standard input", async () => {
    const { root, run } = await place();
    await run(["session", "start"]);
    expect((await run(["session", "note", "looked", "at", "it"])).status).toBe(0);
    expect((await run(["session", "note"], { stdin: "two\n## Close\n\u001b[31mlines" })).status).toBe(0);
    const directory = join(root, ".ai/local/session-contexts");
    const [name = ""] = readdirSync(directory).filter((file) => file.endsWith(".md"));
    expect(readFileSync(join(directory, name), "utf8")).toMatch(
      /## Notes\n\n- looked at it\n\n- two\n {2}## Close\n {2}lines\n$/,
    );
  });
});
