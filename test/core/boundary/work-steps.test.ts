import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCapability } from "../../../src/core/capabilities/run.ts";
import type { Checkout } from "../../../src/core/checkout/checkout.ts";
import { ownProcess } from "../../../src/core/fs/process.ts";
import { Moment } from "../../../src/core/git/moment.ts";
import { readJournalTail } from "../../../src/core/journal/event-journal.ts";
import { readRegistration } from "../../../src/core/journal/registration.ts";
import { scanLedger } from "../../../src/core/ledger/read.ts";
import type { LedgerLine } from "../../../src/core/ledger/line.ts";
import { readTask, rewriteTask } from "../../../src/core/records/task.ts";
import { addDecision } from "../../../src/core/task/decisions.ts";
import { writeHandover } from "../../../src/core/task/handover.ts";
import { addQuestion } from "../../../src/core/task/questions.ts";
import { startTask } from "../../../src/core/task/start-task.ts";
import { newPlace } from "../../support/checkout.ts";
import type { Place } from "../../support/checkout.ts";
import { commitFile, git } from "../../support/repository.ts";
import { pathWithGit, REAL_GIT } from "../git/sandbox.ts";
import { runWorker } from "../task/support/run-worker.ts";

const momentOf = (checkout: Checkout): Moment => new Moment(checkout.repository, checkout.head);
const END = { reason: "prompt_input_exit", closes: true };
const COMPACT = { source: "compact", provesCompaction: true } as const;

function sessionOf(checkout: Checkout, raw: string): string {
  return readRegistration(checkout.common, "claude-code", raw)?.registration.session_id ?? "";
}

function ledger({ layout }: Checkout): LedgerLine[] {
  const lines: LedgerLine[] = [];
  scanLedger(layout.ledger, (line) => lines.push(line));
  return lines;
}

const count = (checkout: Checkout, event: string): number =>
  ledger(checkout).filter((line) => line.event === event).length;

/** What became of each step of the newest event. */
async function steps(place: Place): Promise<Record<string, string>> {
  const newest = readJournalTail(await place.checkout()).findLast(({ phase }) => phase === "outcome");
  return Object.fromEntries((newest?.steps ?? []).map(({ step, result }) => [step, result]));
}

async function work(place: Place): Promise<string> {
  const checkout = await place.checkout();
  const given = { task: "split the parser", scope: ["."], profile: "implementation" };
  return startTask(checkout, given, { session: sessionOf(checkout, "one") }, momentOf(checkout)).task.id;
}

function records({ layout }: Checkout, kind: "checkpoints" | "handovers"): string[] {
  return readdirSync(layout[kind])
    .filter((name) => name.endsWith(".md"))
    .map((name) => readFileSync(join(layout[kind], name), "utf8"));
}

describe("before a compaction", () => {
  it("a derived checkpoint is written, without a task and with one, and its line says that it is derived", async () => {
    const place = await newPlace();
    await place.fire("start", "one");
    await place.fire("compact", "one");
    expect(await steps(place)).toMatchObject({ receipt: "done", checkpoint: "done" });
    const id = await work(place);
    place.clock.forward(7);
    await place.fire("compact", "one");
    const checkout = await place.checkout();
    expect(records(checkout, "checkpoints")).toHaveLength(2);
    expect(records(checkout, "checkpoints").every((text) => text.includes("Derived, not authored"))).toBe(
      true,
    );
    const line = ledger(checkout).findLast(({ event }) => event.startsWith("task."));
    expect(Object.fromEntries(line?.fields ?? [])).toMatchObject({
      event: "task.checkpoint",
      session: sessionOf(checkout, "one"),
      task_id: id,
      derived: 1,
    });
    const task = readTask(checkout.layout.task);
    expect(task.ok && task.value.checkpoint_at).toBe("2026-09-04T12:07:00Z");
  });

  it("nothing is derived where the policy says so, or where the event proves nothing", async () => {
    const place = await newPlace();
    await place.fire("start", "one");
    await place.fire("compact", "one", { name: "PreCompress", trigger: "auto" });
    expect(await steps(place)).toMatchObject({ checkpoint: "skipped" });
    const policy = join(place.root, ".ai/repo/policy.yaml");
    writeFileSync(
      policy,
      readFileSync(policy, "utf8").replace("checkpoint_on_compact: true", "checkpoint_on_compact: false"),
    );
    await place.fire("compact", "one");
    expect(await steps(place)).toMatchObject({ checkpoint: "skipped" });
    expect(count(await place.checkout(), "task.checkpoint")).toBe(0);
  });
});

describe("after a compaction", () => {
  it("the start makes up for an announcement that never came, once", async () => {
    const place = await newPlace();
    await place.fire("start", "one");
    await place.fire("prompt", "one");
    await place.fire("start", "one", COMPACT);
    expect(await steps(place)).toMatchObject({ checkpoint: "done" });
    await place.fire("start", "one", COMPACT);
    expect(await steps(place)).toMatchObject({ checkpoint: "skipped" });
    expect(count(await place.checkout(), "task.checkpoint")).toBe(1);
  });

  it("the start writes nothing where the announcement came, and writes again after the next prompt", async () => {
    const place = await newPlace();
    await place.fire("start", "one");
    await place.fire("prompt", "one");
    await place.fire("compact", "one");
    await place.fire("start", "one", COMPACT);
    expect(await steps(place)).toMatchObject({ checkpoint: "skipped" });
    await place.fire("prompt", "one");
    await place.fire("start", "one", COMPACT);
    expect(await steps(place)).toMatchObject({ checkpoint: "done" });
    expect(count(await place.checkout(), "task.checkpoint")).toBe(2);
  });

  it("another session's checkpoint does not count", async () => {
    const place = await newPlace();
    await place.fire("start", "one");
    await place.fire("start", "two");
    await place.fire("compact", "two");
    await place.fire("start", "one", COMPACT);
    expect(await steps(place)).toMatchObject({ checkpoint: "done" });
  });

  it("that only a later notice proved, the next start heals", async () => {
    const place = await newPlace();
    await place.fire("start", "one");
    await place.fire("prompt", "one");
    await place.fire("compacted", "one", { name: "PostCompact", provesCompaction: true });
    await place.fire("start", "one", { source: "resume" });
    expect(await steps(place)).toMatchObject({ checkpoint: "done" });
  });
});

describe("at the end", () => {
  it("checkpoint and handover come before the seal, which names them; the task stays active", async () => {
    const place = await newPlace();
    await place.fire("start", "one");
    await work(place);
    addQuestion(await place.checkout(), "Which port?", { session: sessionOf(await place.checkout(), "one") });
    commitFile(place.root, "a.txt", "a");
    await place.fire("end", "one", END);
    expect(await steps(place)).toMatchObject({ checkpoint: "done", handover: "done", seal: "done" });
    const checkout = await place.checkout();
    const [text = ""] = records(checkout, "handovers");
    expect(text).toContain("# Next Action\n\nAnswer the open questions first");
    expect(text).toContain("> At ");
    const [name = ""] = readdirSync(checkout.layout.sessions).filter((file) => file.startsWith("2"));
    const closed = readFileSync(join(checkout.layout.sessions, name), "utf8");
    expect(closed).toMatch(/checkpoints:\n {2}- "\.ai\/local\/state\/checkpoints\//);
    expect(closed).toMatch(/handovers:\n {2}- "\.ai\/local\/state\/handovers\//);
    const task = readTask(checkout.layout.task);
    expect(task.ok && task.value.outcome).toBe("active");
    expect(
      ledger(checkout)
        .map(({ event }) => event)
        .filter((event) => /^(?:task|session|provider)\./.test(event))
        .slice(-4),
    ).toEqual(["provider.event.received", "task.checkpoint", "task.handed_over", "session.closed"]);
  });

  it("of an idle session leaves no handover, and never one above a handover that somebody wrote", async () => {
    const place = await newPlace();
    writeFileSync(join(place.root, "draft.txt"), "d");
    await place.fire("start", "one");
    const checkout = await place.checkout();
    const body = "# Objective\na\n# Current State\nb\n# Next Action\nGo on with the draft.\n";
    const author = { session: sessionOf(checkout, "one") };
    writeHandover(checkout, body, { noTask: true }, author, momentOf(checkout));
    await place.fire("end", "one", END);
    expect(await steps(place)).toMatchObject({ checkpoint: "done", handover: "skipped" });
    await place.fire("start", "two");
    await place.fire("end", "two", END);
    expect(await steps(place)).toMatchObject({ handover: "skipped" });
    const text = await place.fire("start", "three");
    expect(text).toContain("  Go on with the draft.");
  });

  it.each(["completed", "failed", "no_match", "blocked", "partial", "handed_over"] as const)(
    "works after the outcome %s",
    async (outcome) => {
      const place = await newPlace();
      await place.fire("start", "one");
      await work(place);
      const { layout } = await place.checkout();
      writeFileSync(layout.task, rewriteTask(readFileSync(layout.task, "utf8"), { outcome }));
      await place.fire("end", "one", END);
      expect(await steps(place)).toMatchObject({ checkpoint: "done", handover: "done", seal: "done" });
      const task = readTask(layout.task);
      expect(task.ok && task.value.outcome).toBe(outcome);
    },
  );

  it("closes the task only where the switch says so", async () => {
    const place = await newPlace();
    writeFileSync(join(place.root, ".ai/repo/majordomus.yaml"), "handover_closes_task: true\n");
    await place.fire("start", "one");
    await work(place);
    await place.fire("end", "one", END);
    const task = readTask((await place.checkout()).layout.task);
    expect(task.ok && task.value.outcome).toBe("handed_over");
  });

  it("that comes twice derives nothing twice", async () => {
    const place = await newPlace();
    await place.fire("start", "one");
    await work(place);
    await place.fire("end", "one", END);
    const before = ledger(await place.checkout()).length;
    await place.fire("end", "one", END);
    const checkout = await place.checkout();
    expect(ledger(checkout)).toHaveLength(before);
    expect(
      [records(checkout, "checkpoints"), records(checkout, "handovers")].map((all) => all.length),
    ).toEqual([1, 1]);
  });

  it("in another directory derives in the episode's own worktree", async () => {
    const place = await newPlace();
    const sibling = `${place.root}-side`;
    onTestFinished(() => rmSync(sibling, { recursive: true, force: true }));
    git(place.root, "worktree", "add", "-q", "-b", "side", sibling);
    await place.fire("start", "one", { cwd: sibling });
    await place.fire("compact", "one");
    await place.fire("end", "one", END);
    const theirs = await place.checkout(sibling);
    expect(records(theirs, "checkpoints")).toHaveLength(2);
    expect(count(await place.checkout(), "task.checkpoint")).toBe(0);
  });

  it("a step that fails is in the journal and the ledger, and the others go on", async () => {
    const place = await newPlace();
    await place.fire("start", "one");
    const { layout } = await place.checkout();
    rmSync(layout.checkpoints, { recursive: true, force: true });
    writeFileSync(layout.checkpoints, "in the way");
    await place.fire("end", "one", END);
    expect(await steps(place)).toMatchObject({ checkpoint: "failed", seal: "done" });
    const failed = ledger(await place.checkout()).filter(({ event }) => event === "provider.event.failed");
    expect(failed).toHaveLength(1);
    expect(failed[0]?.fields.get("reason")).toMatch(/^checkpoint: /);
  });

  it("while the ledger and the task stay locked puts its lines aside; the next command has them", async () => {
    const place = await newPlace();
    writeFileSync(join(place.root, ".ai/repo/majordomus.yaml"), "hooks:\n  lock_wait_ms: 5\n");
    await place.fire("start", "one");
    const id = await work(place);
    const { layout } = await place.checkout();
    let holder: Promise<unknown> = Promise.resolve();
    await new Promise<void>((held) => {
      holder = runWorker([place.root, "hold", "ledger,task"], undefined, () => held());
    });
    place.clock.forward(3);
    await place.fire("compact", "one");
    expect(await steps(place)).toMatchObject({ checkpoint: "deferred" });
    expect(records(await place.checkout(), "checkpoints")).toHaveLength(1);
    expect(count(await place.checkout(), "task.checkpoint")).toBe(0);
    writeFileSync(join(place.root, ".git", "release"), "");
    await holder;
    await place.fire("prompt", "one");
    expect(count(await place.checkout(), "task.checkpoint")).toBe(1);
    const task = readTask(layout.task);
    expect(task.ok && [task.value.id, task.value.checkpoint_at]).toEqual([id, "2026-09-04T12:00:00Z"]);
  });
});

describe("the next start", () => {
  it("quotes the next action of a handover, and six days later does not", async () => {
    const place = await newPlace();
    await place.fire("start", "one");
    const id = sessionOf(await place.checkout(), "one");
    const checkout = await place.checkout();
    const body = "# Objective\na\n# Current State\nb\n# Next Action\nWrite the regression test.\n";
    writeHandover(checkout, body, { noTask: true }, { session: id }, momentOf(checkout));
    await place.fire("end", "one", END);
    place.clock.forward(30);
    const soon = await place.fire("start", "two");
    expect(soon).toMatch(
      /Handover \S+ \(same_worktree_same_branch, exact, fresh, 30m ago\)\.\nIts Next Action:\n {2}Write/,
    );
    place.clock.set("2026-09-10T12:00:00Z");
    const late = await place.fire("start", "three");
    expect(late).toContain("Historical handover");
    expect(late).toContain("It is stale: 6d old");
    expect(late).not.toContain("Write the regression test.");
  });

  it("is told what was shown of it before, word for word but for its own id", async () => {
    const place = await newPlace();
    const checkout = await place.checkout();
    const body = "# Objective\na\n# Current State\nb\n# Next Action\nRun the suite again.\n";
    writeHandover(checkout, body, { noTask: true }, {}, momentOf(checkout));
    addQuestion(checkout, "Which port?", {});
    const before = readFileSync(checkout.layout.ledger, "utf8");
    const shown = (await runCapability(checkout, "briefing.preview", {})) as { text: string };
    expect(readFileSync(checkout.layout.ledger, "utf8")).toBe(before);
    expect(shown.text).toContain("Its Next Action:\n  Run the suite again.");
    const told = await place.fire("start", "one");
    const id = sessionOf(await place.checkout(), "one");
    expect(told).toBe(shown.text.replace("(none open)", id));
    writeFileSync(
      join(place.root, ".ai/repo/policy.yaml"),
      readFileSync(join(place.root, ".ai/repo/policy.yaml"), "utf8").replace(
        "briefing_on_start: true",
        "briefing_on_start: false",
      ),
    );
    expect(await runCapability(await place.checkout(), "briefing.preview", {})).toEqual({
      schema: 1,
      text: "",
    });
  });

  it("derives one handover for an episode whose worker is gone, closes nothing, and not again", async () => {
    const place = await newPlace();
    await place.fire("start", "lost");
    const checkout = await place.checkout();
    const entry = readRegistration(checkout.common, "claude-code", "lost");
    const id = entry?.registration.session_id ?? "";
    // Number 1 always runs, but it never started then: the process that was meant is gone.
    const worker = { ...ownProcess(), pid: 1, started: "never" };
    writeFileSync(entry?.path ?? "", JSON.stringify({ ...entry?.registration, process: worker }));
    addDecision(checkout, { title: "Keep one cache", why: "w" }, { session: id });
    await place.fire("start", "two");
    expect(await steps(place)).toMatchObject({ handover: "done" });
    await place.fire("start", "three");
    expect(await steps(place)).toMatchObject({ handover: "skipped" });
    const after = await place.checkout();
    expect(records(after, "handovers")).toHaveLength(1);
    expect(
      ledger(after).filter(({ event, session }) => event === "task.handed_over" && session === id),
    ).toHaveLength(1);
    expect(readdirSync(after.layout.sessionsOpen)).toContain("lost.yaml");
  });
});

describe("processes of git", () => {
  const bounds: [string, (place: Place) => Promise<unknown>, number][] = [
    ["a start", (place) => place.fire("start", "two"), 3],
    ["a start that keeps its episode", (place) => place.fire("start", "one", { source: "resume" }), 3],
    ["a start after a compaction", (place) => place.fire("start", "one", COMPACT), 3],
    ["before a compaction", (place) => place.fire("compact", "one"), 3],
    ["an end", (place) => place.fire("end", "one", END), 4],
  ];

  it.each(bounds)("%s runs at most so many", async (_, act, maximum) => {
    const place = await newPlace();
    await place.fire("start", "one");
    commitFile(place.root, "before.txt", "b");
    await work(place);
    const checkout = await place.checkout();
    const body = "# Objective\na\n# Current State\nb\n# Next Action\nc\n";
    writeHandover(checkout, body, {}, {}, momentOf(checkout));
    commitFile(place.root, "after.txt", "a");
    writeFileSync(join(place.root, "draft.txt"), "d");
    const log = join(place.root, ".git", "git-runs");
    writeFileSync(log, "");
    const path = pathWithGit(
      join(place.root, ".git", "shim"),
      `echo "$*" >> '${log}'; exec '${REAL_GIT}' "$@"`,
    );
    Object.assign(place.surroundings.environment, { PATH: path });
    await act(place);
    const runs = readFileSync(log, "utf8")
      .split("\n")
      .filter((line) => line !== "");
    expect(runs.length, runs.join("\n")).toBeLessThanOrEqual(maximum);
    expect(runs.length).toBeGreaterThan(0);
    expect(Object.values(await steps(place))).not.toContain("failed");
  });
});
