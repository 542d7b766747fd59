import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { recoverApply } from "../../../src/core/capabilities/recover.ts";
import { runCapability } from "../../../src/core/capabilities/run.ts";
import type { Checkout } from "../../../src/core/checkout/checkout.ts";
import { readJournalTail } from "../../../src/core/journal/event-journal.ts";
import { readRegistration } from "../../../src/core/journal/registration.ts";
import { scanLedger } from "../../../src/core/ledger/read.ts";
import { addDecision } from "../../../src/core/task/decisions.ts";
import { newPlace } from "../../support/checkout.ts";
import type { Place } from "../../support/checkout.ts";
import { commitFile, git } from "../../support/repository.ts";
import { commitBelow } from "../knowledge/support.ts";
import { pathWithGit, REAL_GIT } from "../git/sandbox.ts";

const END = { reason: "prompt_input_exit", closes: true };
const COMPACT = { source: "compact", provesCompaction: true } as const;

function sessionOf(checkout: Checkout, raw = "one"): string {
  return readRegistration(checkout.common, "claude-code", raw)?.registration.session_id ?? "";
}

/** A place with an open episode that decided something. */
async function decided(title = "One cache"): Promise<{ place: Place; id: string }> {
  const place = await newPlace();
  await place.fire("start", "one");
  const checkout = await place.checkout();
  const id = sessionOf(checkout);
  addDecision(checkout, { title, why: "two clocks" }, { session: id });
  return { place, id };
}

function candidates(root: string): string[] {
  return readdirSync(join(root, ".ai/repo/knowledge/candidates")).filter((name) => name !== "README.md");
}

async function events(place: Place, root = place.root): Promise<string[]> {
  const names: string[] = [];
  scanLedger((await place.checkout(root)).layout.ledger, ({ event }) => names.push(event));
  return names;
}

async function stepsOf(place: Place): Promise<{ step: string; result: string; reason?: string }[]> {
  const newest = readJournalTail(await place.checkout()).findLast(({ phase }) => phase === "outcome");
  return newest?.steps ?? [];
}

function setPolicy(place: Place, from: string, to: string): void {
  const path = join(place.root, ".ai/repo/policy.yaml");
  writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
}

describe("before a compaction", () => {
  it("what the episode knows becomes candidates", async () => {
    const { place, id } = await decided();
    await place.fire("compact", "one");
    expect(candidates(place.root)).toEqual([expect.stringMatching(new RegExp(`^${id}-[0-9a-f]{12}\\.md$`))]);
    expect(await stepsOf(place)).toContainEqual(
      expect.objectContaining({
        step: "knowledge",
        result: "done",
        reason: "1 written, 0 unchanged, 0 skipped",
      }),
    );
    // Announced twice it is one compaction; after a turn's end it is another.
    await place.fire("compact", "one");
    expect((await events(place)).filter((event) => event === "knowledge.derived")).toHaveLength(1);
    await place.fire("stop", "one");
    await place.fire("compact", "one");
    expect(candidates(place.root)).toHaveLength(1);
    expect((await events(place)).filter((event) => event === "knowledge.derived")).toHaveLength(2);
  });

  it("knowledge is derived once where a compaction is announced twice and checkpoints are not wanted", async () => {
    const { place } = await decided();
    setPolicy(place, "checkpoint_on_compact: true", "checkpoint_on_compact: false");
    await place.fire("compact", "one");
    await place.fire("compact", "one");
    expect((await events(place)).filter((event) => event === "knowledge.derived")).toHaveLength(1);
  });

  it("nothing is derived where the policy says so, or where the event proves nothing", async () => {
    const { place } = await decided();
    await place.fire("compact", "one", { name: "PreCompress", trigger: "auto" });
    expect(candidates(place.root)).toEqual([]);
    setPolicy(place, "knowledge_on_compact: true", "knowledge_on_compact: false");
    await place.fire("compact", "one");
    expect(candidates(place.root)).toEqual([]);
    expect(await stepsOf(place)).toContainEqual(
      expect.objectContaining({ step: "knowledge", result: "skipped" }),
    );
    await place.fire("end", "one", END);
    expect(candidates(place.root)).toHaveLength(1);
  });

  it("the start makes up for an announcement that never came, once", async () => {
    const { place } = await decided();
    await place.fire("prompt", "one");
    await place.fire("start", "one", COMPACT);
    expect(candidates(place.root)).toHaveLength(1);
    setPolicy(place, "checkpoint_on_compact: true", "checkpoint_on_compact: false");
    await place.fire("prompt", "one");
    await place.fire("start", "one", COMPACT);
    await place.fire("start", "one", COMPACT);
    expect((await events(place)).filter((event) => event === "knowledge.derived")).toHaveLength(2);
  });
});

describe("at a close", () => {
  it("the hook derives before the closing line, and before the handover", async () => {
    const { place } = await decided();
    await place.fire("end", "one", END);
    expect(candidates(place.root)).toHaveLength(1);
    const names = await events(place);
    expect(names.slice(names.indexOf("task.checkpoint"))).toEqual([
      "task.checkpoint",
      "knowledge.derived",
      "task.handed_over",
      "session.closed",
    ]);
    const before = candidates(place.root);
    const [name = ""] = before;
    const bytes = readFileSync(join(place.root, ".ai/repo/knowledge/candidates", name), "utf8");
    await runCapability(await place.checkout(), "knowledge.derive", { all: true });
    expect(candidates(place.root)).toEqual(before);
    expect(readFileSync(join(place.root, ".ai/repo/knowledge/candidates", name), "utf8")).toBe(bytes);
  });

  it("the policy's switch is obeyed by every kind of close", async () => {
    const { place, id } = await decided();
    setPolicy(place, "knowledge_on_end: true", "knowledge_on_end: false");
    await runCapability(await place.checkout(), "session.close", { session_id: id, outcome: "closed" });
    expect(candidates(place.root)).toEqual([]);
    expect(await events(place)).not.toContain("knowledge.derived");
  });

  it("a person's close derives too, from here and from the console", async () => {
    for (const close of [
      async (checkout: Checkout) => runCapability(checkout, "session.close", {}),
      async (checkout: Checkout) =>
        runCapability(checkout, "session.close", { session_id: sessionOf(checkout), outcome: "interrupted" }),
    ]) {
      const { place } = await decided();
      expect(await close(await place.checkout())).not.toHaveProperty("notes");
      expect(candidates(place.root)).toHaveLength(1);
      expect((await events(place)).slice(-2)).toEqual(["knowledge.derived", "session.closed"]);
    }
  });

  it("a failure of deriving stops no close, and is said", async () => {
    const { place, id } = await decided();
    const shelf = join(place.root, ".ai/repo/knowledge/candidates");
    rmSync(shelf, { recursive: true });
    writeFileSync(shelf, "a file in the way");
    await place.fire("end", "one", END);
    expect(await stepsOf(place)).toContainEqual(
      expect.objectContaining({ step: "knowledge", result: "failed" }),
    );
    expect(await stepsOf(place)).toContainEqual(expect.objectContaining({ step: "seal", result: "done" }));
    const names = await events(place);
    expect(names).toContain("session.closed");
    expect(names).toContain("provider.event.failed");
    expect(id).not.toBe("");

    await place.fire("start", "two");
    const checkout = await place.checkout();
    addDecision(checkout, { title: "Another", why: "w" }, { session: sessionOf(checkout, "two") });
    const closed = await runCapability(await place.checkout(), "session.close", {
      session_id: sessionOf(checkout, "two"),
      outcome: "closed",
    });
    expect(closed).toMatchObject({
      state: "closed",
      notes: [expect.stringContaining("is not a directory, and one is needed there")],
    });
  });

  it("the episode's commits to rules are evidence, however the close is done", async () => {
    const { place } = await decided();
    const commit = commitBelow(place.root, ".ai/repo/rules/one.md");
    await place.fire("compact", "one");
    const read = (): string =>
      readFileSync(
        join(place.root, ".ai/repo/knowledge/candidates", candidates(place.root)[0] ?? ""),
        "utf8",
      );
    expect(read()).toContain(`    - commit:${commit}\n`);
    const bytes = read();
    await place.fire("end", "one", END);
    expect(read()).toBe(bytes);
    await runCapability(await place.checkout(), "knowledge.derive", { all: true });
    expect(read()).toBe(bytes);
  });
});

describe("recovery", () => {
  it("derives from the shadow journal of an episode whose worktree is gone", async () => {
    const place = await newPlace();
    const sibling = `${place.root}-side`;
    onTestFinished(() => rmSync(sibling, { recursive: true, force: true }));
    git(place.root, "worktree", "add", "-q", "-b", "side", sibling);
    await place.fire("start", "one", { cwd: sibling });
    const theirs = await place.checkout(sibling);
    const id = sessionOf(theirs);
    addDecision(theirs, { title: "One cache", why: "w" }, { session: id });
    git(place.root, "worktree", "remove", "--force", sibling);
    const checkout = await place.checkout();
    const context = { checkout, signal: new AbortController().signal, progress: () => undefined };
    const { performed } = (await recoverApply.run(context, { subject: "episodes" })) as {
      performed: { message: string }[];
    };
    expect(performed[0]?.message).not.toContain("was not derived");
    expect(candidates(place.root)).toEqual([expect.stringContaining(id)]);
    expect((await events(place)).slice(-2)).toEqual(["knowledge.derived", "session.recovered"]);
    const again = await runCapability(await place.checkout(), "knowledge.derive", { all: true });
    expect(again).toMatchObject({ episodes: 1, written: [], unchanged: [expect.stringContaining(id)] });
  });
});

describe("the briefing", () => {
  it("lists what awaits review on this branch, and what nobody can place", async () => {
    const { place, id } = await decided('Say "no" to \u202ecaches');
    await place.fire("end", "one", END);
    const [name = ""] = candidates(place.root);
    const stem = name.replace(".md", "");
    const text = (await place.fire("start", "two")) ?? "";
    expect(text).toContain(
      `Knowledge candidates awaiting review on this branch: 1\n  - ${stem}  Say "no" to \\u{202e}caches\n`,
    );
    expect(text).not.toContain("episode is not known");

    const shelf = join(place.root, ".ai/repo/knowledge/candidates");
    const stray = readFileSync(join(shelf, name), "utf8").replaceAll(id, "s-20260101000000-0000");
    writeFileSync(join(shelf, `s-20260101000000-0000-${stem.slice(-12)}.md`), stray);
    git(place.root, "add", "-A");
    git(place.root, "commit", "-q", "-m", "Keep");
    git(place.root, "checkout", "-q", "-b", "other");
    const other = (await place.fire("start", "three")) ?? "";
    expect(other).toContain(
      [
        "No knowledge candidate awaits review on this branch.",
        "1 candidate(s) whose episode is not known in this checkout:",
        `  - s-20260101000000-0000-${stem.slice(-12)}  Say "no" to \\u{202e}caches`,
      ].join("\n"),
    );
  });
});

describe("processes of git", () => {
  it("are at most three at a compaction and four at an end, with decisions and commits", async () => {
    const { place } = await decided();
    commitFile(place.root, "a.txt", "a");
    const log = join(place.root, ".git", "calls");
    const path = pathWithGit(
      join(place.root, ".git", "shim"),
      `echo "$*" >> '${log}'; exec '${REAL_GIT}' "$@"`,
    );
    Object.assign(place.surroundings.environment, { PATH: path });
    const runs = async (kind: "compact" | "end"): Promise<string[]> => {
      writeFileSync(log, "");
      await place.fire(kind, "one", kind === "end" ? END : {});
      return readFileSync(log, "utf8").trim().split("\n");
    };
    const atCompaction = await runs("compact");
    expect(atCompaction.length, atCompaction.join("\n")).toBeLessThanOrEqual(3);
    const atEnd = await runs("end");
    expect(atEnd.length, atEnd.join("\n")).toBeLessThanOrEqual(4);
    expect(candidates(place.root)).toHaveLength(1);
  });
});
