import { appendFileSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { injectFaults } from "../../../src/core/fs/fault.ts";
import { rotateLedger } from "../../../src/core/ledger/rotate.ts";
import { joinTallies } from "../../../src/core/ledger/packed-tally.ts";
import { splitLedger, tallyRange } from "../../../src/core/ledger/ranges.ts";
import { summariseLedger } from "../../../src/core/ledger/summaries.ts";
import type { LedgerSummaries } from "../../../src/core/ledger/summaries.ts";
import { ENVELOPE, decision, joined, line, makeLedger } from "./support/ledger.ts";

const ORIGINAL = new URL("../../fixtures/original/local/state/ledger.jsonl", import.meta.url).pathname;

afterEach(() => injectFaults(undefined));

/** The bytes that `action` could have read: how often it asked the disk for some. */
function readsOf(action: () => unknown): number {
  let reads = 0;
  injectFaults({ before: (operation) => void (reads += operation === "read" ? 1 : 0) });
  action();
  injectFaults(undefined);
  return reads;
}

function counted(summaries: LedgerSummaries) {
  return { ...summaries, episodes: new Map(summaries.episodes), cursor: undefined };
}

describe("the summaries of the original's ledger", () => {
  const summaries = summariseLedger(ORIGINAL);

  it("tell of each episode its lines, last sign of life, tasks and checkpoints", () => {
    expect(Object.fromEntries(summaries.episodes)).toEqual({
      "s-20260904153733-fc51": {
        events: 10,
        checkpoints: 1,
        tasks: ["t-20260904153800-0a1b"],
        lastActivity: "2026-09-04T17:14:02Z",
        lastEvent: "session.closed",
      },
      "s-20260905080000-0b0b": {
        events: 2,
        checkpoints: 0,
        tasks: [],
        lastActivity: "2026-09-05T08:00:01Z",
        lastEvent: "provider.event.received",
      },
      "s-20260906120000-77aa": {
        events: 5,
        checkpoints: 0,
        tasks: ["t-20260906120100-c0de"],
        lastActivity: "2026-09-06T13:00:00Z",
        lastEvent: "session.closed",
      },
      "s-20260907070000-9d9d": {
        events: 1,
        checkpoints: 0,
        tasks: [],
        lastActivity: "2026-09-07T07:00:00Z",
        lastEvent: "session.started",
      },
      "s-20260907070000-1212": {
        events: 1,
        checkpoints: 0,
        tasks: [],
        lastActivity: "2026-09-07T07:00:00Z",
        lastEvent: "session.started",
      },
    });
  });

  it("count what the balance adds up", () => {
    expect(summaries).toMatchObject({ lines: 21, malformed: 0, unregistered: 0, tornBytes: 0 });
    expect(summaries.started.size).toBe(5);
    expect([...summaries.closed]).toEqual(["s-20260904153733-fc51", "s-20260906120000-77aa"]);
    expect([...summaries.recovered]).toEqual(["s-20260905080000-0b0b"]);
  });
});

describe("a summary", () => {
  it("takes the greatest timestamp, of equal ones the later line, and no other form", () => {
    const at = (ts: string, text: string) => decision(text, { ts, session: "s-1" });
    const target = makeLedger(
      joined([
        at("2026-09-04T15:00:00Z", "a"),
        line("task.checkpoint", {}, { ts: "2026-09-04T16:00:00Z", session: "s-1" }),
        line(
          "question.opened",
          { task_id: "none", question: "q" },
          { ts: "2026-09-04T16:00:00Z", session: "s-1" },
        ),
        at("2026-09-04T15:30:00Z", "b"),
        at("9999", "c"),
        at("zzzz-zz-zzTzz:zz:zzZ", "d"),
      ]),
    );
    expect(summariseLedger(target.ledger).episodes.get("s-1")).toEqual({
      events: 6,
      checkpoints: 0,
      tasks: [],
      lastActivity: "2026-09-04T16:00:00Z",
      lastEvent: "question.opened",
    });
  });
});

describe("a second reading", () => {
  it("of an unchanged ledger reads no byte and gives the same answer", () => {
    const target = makeLedger(joined([decision("a", { session: "s-1" })]));
    const first = summariseLedger(target.ledger);
    expect(readsOf(() => expect(summariseLedger(target.ledger, first)).toBe(first))).toBe(0);
  });

  it("reads only what was appended, and leaves the first answer as it was", () => {
    const target = makeLedger(
      joined(Array.from({ length: 500 }, (_, index) => decision(`${index}`, { session: "s-1" }))),
    );
    const first = summariseLedger(target.ledger);
    appendFileSync(
      target.ledger,
      joined([
        decision("new", { session: "s-1" }),
        line("session.started", { owner: "o" }, { session: "s-2" }),
        "bad",
      ]),
    );
    const second = summariseLedger(target.ledger, first);
    expect(counted(second)).toEqual(counted(summariseLedger(target.ledger)));
    expect(second.cursor).toEqual(summariseLedger(target.ledger).cursor);
    expect(first.episodes.get("s-1")?.events).toBe(500);
    expect(first.episodes.get("s-2")).toBeUndefined();
    expect(first.started.size).toBe(0);
  });

  it("counts a line once that was half written at the first", () => {
    const text = joined([decision("a", { session: "s-1" })]);
    const target = makeLedger(text + text.slice(0, 40));
    const first = summariseLedger(target.ledger);
    expect(first).toMatchObject({ lines: 1, tornBytes: 40 });
    appendFileSync(target.ledger, text.slice(40));
    const second = summariseLedger(target.ledger, first);
    expect(second).toMatchObject({ lines: 2, tornBytes: 0 });
    expect(second.episodes.get("s-1")?.events).toBe(2);
  });

  it("starts again when the ledger was rotated, rewritten, cut or removed", () => {
    const many = Array.from({ length: 20 }, (_, index) => decision(`${index}`, { session: "s-1" }));
    const target = makeLedger(joined(many));
    const first = summariseLedger(target.ledger);
    rotateLedger(target, { keep: 4, waitMilliseconds: 1000, envelope: ENVELOPE });
    const rotated = summariseLedger(target.ledger, first);
    expect(rotated.lines).toBe(5);

    const changed = readFileSync(target.ledger, "utf8").replace('"decision":"19"', '"decision":"91"');
    writeFileSync(target.ledger, changed + joined([decision("more", { session: "s-3" })]));
    const rewritten = summariseLedger(target.ledger, rotated);
    expect(counted(rewritten)).toEqual(counted(summariseLedger(target.ledger)));

    writeFileSync(target.ledger, joined(many.slice(0, 2)));
    const cut = summariseLedger(target.ledger, rewritten);
    expect(cut.lines).toBe(2);

    rmSync(target.ledger);
    expect(summariseLedger(target.ledger, cut)).toMatchObject({ lines: 0, cursor: undefined });
  });

  it("of a ledger that was only touched counts nothing twice", () => {
    const target = makeLedger(joined([decision("a", { session: "s-1" })]));
    const first = summariseLedger(target.ledger);
    utimesSync(target.ledger, 1, 1);
    expect(counted(summariseLedger(target.ledger, first))).toEqual(counted(first));
  });

  it("finds a ledger that did not exist at the first", () => {
    const target = makeLedger();
    const first = summariseLedger(target.ledger);
    expect(first).toMatchObject({ lines: 0, cursor: undefined });
    writeFileSync(target.ledger, joined([decision("a", { session: "s-1" })]));
    expect(summariseLedger(target.ledger, first).lines).toBe(1);
    writeFileSync(target.ledger, "");
    const empty = summariseLedger(target.ledger);
    appendFileSync(target.ledger, joined([decision("a"), decision("b")]));
    expect(summariseLedger(target.ledger, empty).lines).toBe(2);
  });
});

describe("however a ledger is read", () => {
  const session = fc.constantFrom("s-1", "s-2", "s-3");
  const ts = fc.constantFrom("2026-09-04T15:00:00Z", "2026-09-04T15:00:01Z", "2026-09-04T15:00:02Z", "odd");
  const anyLine = fc.oneof(
    fc.tuple(session, ts).map(([of, at]) => decision("x", { session: of, ts: at })),
    fc
      .tuple(session, ts, fc.constantFrom("t-1", "t-2", "none"))
      .map(([of, at, task]) =>
        line("task.checkpoint", { task_id: task, checkpoint_path: "p" }, { session: of, ts: at }),
      ),
    session.map((of) => line("session.started", { owner: "o" }, { session: of })),
    session.map((of) => line("session.recovered", { session_id: of, reason: "r", session_path: "p" })),
    fc.constantFrom("", "bad", '{"ts":"t","event":"unknown","session":"s-1"}'),
  );

  it("in one go, in ranges by several threads, or as it grows, it says the same", () => {
    const ledgers = fc.tuple(
      fc.array(anyLine, { maxLength: 30 }),
      fc.nat(30),
      fc.integer({ min: 1, max: 5 }),
    );
    fc.assert(
      fc.property(ledgers, ([lines, cut, parts]) => {
        const target = makeLedger(joined(lines.slice(0, cut)));
        const early = summariseLedger(target.ledger);
        appendFileSync(target.ledger, joined(lines.slice(cut)));
        const whole = counted(summariseLedger(target.ledger));
        const grown = summariseLedger(target.ledger, early);
        expect(counted(grown)).toEqual(whole);
        const ranges = splitLedger(target.ledger, parts);
        expect(ranges.length).toBeLessThanOrEqual(parts);
        const tallies = ranges.map((range) => structuredClone(tallyRange(target.ledger, range)));
        expect(counted({ ...joinTallies(tallies), tornBytes: 0, cursor: undefined })).toEqual(whole);
      }),
      { numRuns: 60 },
    );
  });
});
