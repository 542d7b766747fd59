import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { journalEvent, readJournalTail } from "../../../src/core/journal/event-journal.ts";
import { readRegistration } from "../../../src/core/journal/registration.ts";
import { addQuestion } from "../../../src/core/task/questions.ts";
import { newPlace } from "../../support/checkout.ts";
import type { Place } from "../../support/checkout.ts";
import { commitFile } from "../../support/repository.ts";

const COMPACT = { source: "compact", provesCompaction: true } as const;
const NOTICE = { name: "PostCompact", provesCompaction: true } as const;

async function newSession(): Promise<Place> {
  const place = await newPlace();
  await place.fire("start", "one");
  await place.fire("prompt", "one");
  return place;
}

async function checkpoints(place: Place): Promise<number> {
  const { layout } = await place.checkout();
  try {
    return readdirSync(layout.checkpoints).filter((name) => name.endsWith(".md")).length;
  } catch {
    return 0;
  }
}

/** A receipt of the same event that another process left just before, without an outcome. */
async function leaveReceipt(place: Place, pid: number): Promise<void> {
  journalEvent(await place.checkout(), {
    id: "f".repeat(16),
    ts: "2026-09-04T12:00:00Z",
    provider: "claude-code",
    event: "PreCompact",
    session: "one",
    pid,
    phase: "received",
  });
}

describe("a compaction that is announced twice", () => {
  it("has one checkpoint", async () => {
    const place = await newSession();
    await place.fire("compact", "one");
    await place.fire("compact", "one");
    await place.fire("compact", "one");
    expect(await checkpoints(place)).toBe(1);
    const newest = readJournalTail(await place.checkout()).at(-1);
    expect(newest?.steps).toContainEqual(
      expect.objectContaining({
        step: "checkpoint",
        result: "skipped",
        reason: "the compaction has one already",
      }),
    );
  });

  it("and whose every event comes twice, has one, and so has the next", async () => {
    const place = await newSession();
    for (let round = 1; round <= 2; round += 1) {
      for (const [kind, more] of [
        ["compact", {}],
        ["compacted", NOTICE],
        ["start", COMPACT],
      ] as const) {
        await place.fire(kind, "one", more);
        await place.fire(kind, "one", more);
      }
      expect(await checkpoints(place)).toBe(round);
    }
  });

  it.each<[string, (place: Place) => Promise<unknown>]>([
    ["a prompt", (place) => place.fire("prompt", "one")],
    ["a turn's end", (place) => place.fire("stop", "one")],
    ["a notice that it is over", (place) => place.fire("compacted", "one", NOTICE)],
    ["a start after it", (place) => place.fire("start", "one", COMPACT)],
    ["a commit", async (place) => commitFile(place.root, "new.txt", "n")],
    [
      "a question",
      async (place) => {
        const checkout = await place.checkout();
        const session = readRegistration(checkout.common, "claude-code", "one")?.registration.session_id;
        addQuestion(checkout, "Which port?", { session });
      },
    ],
  ])("is two where %s lies between", async (_, between) => {
    const place = await newSession();
    await place.fire("compact", "one");
    await between(place);
    await place.fire("compact", "one");
    expect(await checkpoints(place)).toBe(2);
  });

  it("another session's is another compaction", async () => {
    const place = await newSession();
    await place.fire("start", "two");
    await place.fire("compact", "one");
    await place.fire("compact", "two");
    expect(await checkpoints(place)).toBe(2);
  });

  it("is left to the process whose receipt came first, while that lives", async () => {
    const place = await newSession();
    await leaveReceipt(place, process.ppid);
    await place.fire("compact", "one");
    expect(await checkpoints(place)).toBe(0);
  });

  it("is written by the second where the first was killed before it wrote", async () => {
    const place = await newSession();
    // No process has a number beyond what systems give.
    await leaveReceipt(place, 2 ** 22 + 1);
    await place.fire("compact", "one");
    expect(await checkpoints(place)).toBe(1);
  });
});
