import { appendFileSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { HistoryAnswer } from "../../../src/core/ledger/answers.ts";
import { readHistory } from "../../../src/core/ledger/history.ts";
import { rotateLedger } from "../../../src/core/ledger/rotate.ts";
import { ENVELOPE, decision, joined, line, makeLedger } from "./support/ledger.ts";

const ORIGINAL = new URL("../../fixtures/original/local/state/ledger.jsonl", import.meta.url).pathname;

function events(input: Parameters<typeof readHistory>[1]): string[] {
  return readHistory(ORIGINAL, input).lines.map(({ event }) => event);
}

describe("history", () => {
  it("shows the newest lines, oldest first, and says what it left out", () => {
    const answer = HistoryAnswer.parse(readHistory(ORIGINAL, { limit: 2 }));
    expect(answer.lines.map(({ session }) => session)).toEqual([
      "s-20260907070000-9d9d",
      "s-20260907070000-1212",
    ]);
    const size = readFileSync(ORIGINAL).length;
    expect(answer).toMatchObject({
      total: 21,
      matched: 21,
      cut: 19,
      malformed: 0,
      torn_bytes: 0,
      consumed: size,
    });
  });

  it("tells of each line what a person wants to know", () => {
    const [handover] = readHistory(ORIGINAL, { event: "task.handed_over" }).lines;
    expect(handover).toEqual({
      offset: expect.any(Number) as unknown,
      ts: "2026-09-04T17:10:00Z",
      event: "task.handed_over",
      head: "b9469a95e64ad83017429739bd95b527100cdfec",
      branch: "main",
      by: "majordomus/0.19.0",
      session: "s-20260904153733-fc51",
      task: "t-20260904153800-0a1b",
      summary:
        "closed=1 handover_path=.ai/local/state/handovers/20260904T171000Z--main--b9469a9--c0ffee1234567890.md task_id=t-20260904153800-0a1b",
      record: ".ai/local/state/handovers/20260904T171000Z--main--b9469a9--c0ffee1234567890.md",
      registered: true,
    });
    const text = readFileSync(ORIGINAL).subarray(handover?.offset).toString();
    expect(text.startsWith('{"ts":"2026-09-04T17:10:00Z","event":"task.handed_over"')).toBe(true);
  });

  it("filters", () => {
    expect(events({ event: "question.resolved" })).toEqual(["question.resolved"]);
    expect(events({ session: "s-20260905080000-0b0b" })).toEqual([
      "session.started",
      "provider.event.received",
    ]);
    expect(events({ task: "t-20260906120100-c0de" })).toEqual([
      "task.started",
      "question.opened",
      "task.checkpoint",
    ]);
    expect(events({ branch: "other" })).toEqual([]);
    expect(events({ text: "WHICH PORT" })).toEqual(["question.opened", "question.resolved"]);
    expect(events({ since: "2026-09-07" })).toEqual(["session.started", "session.started"]);
    expect(events({ until: "2026-09-04T15:37:33Z" })).toEqual(["session.started", "provider.event.received"]);
    expect(events({ since: "2026-09-05", until: "2026-09-05" })).toHaveLength(3);
    expect(events({ session: "s-20260906120000-77aa", event: "session.closed", limit: 1 })).toEqual([
      "session.closed",
    ]);
  });

  it("belongs to no task where a line says `none`", () => {
    const target = makeLedger(joined([line("decision.recorded", { task_id: "none", decision: "x" })]));
    expect(readHistory(target.ledger, {}).lines[0]).not.toHaveProperty("task");
  });

  it("keeps what it does not know, and counts it", () => {
    const unknown = '{"ts":"2026-09-03T19:33:00Z","event":"observation.recorded","x":{"y":[1,null]}}';
    const target = makeLedger(`${joined([unknown, "not json", decision("a")])}{"ts`);
    const answer = readHistory(target.ledger, {});
    expect(answer).toMatchObject({ total: 3, matched: 2, malformed: 1, unregistered: 1, torn_bytes: 4 });
    expect(answer.lines[0]).toMatchObject({
      event: "observation.recorded",
      registered: false,
      summary: 'x={"y":[1,null]}',
    });
  });

  it.each([
    [{ event: "observation.recorded" }, "observation.recorded"],
    [{ since: "yesterday" }, "yesterday"],
    [{ until: "2026-02-30" }, "2026-02-30"],
  ])("refuses %j as a wrong question", (input, subject) => {
    expect(() => readHistory(ORIGINAL, input)).toThrow(expect.objectContaining({ exit: 2, subject }));
  });
});

describe("following a ledger", () => {
  it("goes on where the last answer ended, over a line that was half written", () => {
    const target = makeLedger(joined([decision("a")]));
    const first = readHistory(target.ledger, {});
    const text = joined([decision("b")]);
    appendFileSync(target.ledger, text.slice(0, 50));
    const second = readHistory(target.ledger, {}, first.consumed);
    expect(second).toMatchObject({ lines: [], torn_bytes: 50, consumed: first.consumed });
    appendFileSync(target.ledger, text.slice(50));
    const third = readHistory(target.ledger, {}, second.consumed);
    expect(third.lines.map(({ summary }) => summary)).toEqual(["decision=b"]);
  });

  it("goes on after a rotation with the line that tells of it", () => {
    const target = makeLedger(joined(["a", "b", "c", "d", "e"].map((text) => decision(text.repeat(200)))));
    const { consumed } = readHistory(target.ledger, {});
    rotateLedger(target, { keep: 1, waitMilliseconds: 1000, envelope: ENVELOPE });
    appendFileSync(target.ledger, joined([decision("f")]));
    const next = readHistory(target.ledger, {}, consumed);
    expect(next.lines.map(({ event }) => event)).toEqual(["ledger.rotated", "decision.recorded"]);
  });

  it("of a ledger that does not exist yet starts at its beginning", () => {
    const target = makeLedger();
    const { consumed } = readHistory(target.ledger, {});
    expect(consumed).toBe(0);
  });
});
