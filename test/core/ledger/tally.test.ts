import { appendFileSync, writeFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseLineBytes } from "../../../src/core/ledger/line.ts";
import type { EpisodeSummary } from "../../../src/core/ledger/episode-table.ts";
import { joinTallies } from "../../../src/core/ledger/packed-tally.ts";
import { splitLedger, tallyRange } from "../../../src/core/ledger/ranges.ts";
import { summariseLedger } from "../../../src/core/ledger/summaries.ts";
import type { LedgerTally } from "../../../src/core/ledger/tally.ts";
import { isRegistered } from "../../../src/core/ledger/vocabulary.ts";
import { joined, line, makeLedger } from "./support/ledger.ts";

const STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const WORK = new Set(["task.started", "task.checkpoint", "task.handed_over", "task.finished"]);

interface Slow {
  episodes: Map<string, EpisodeSummary>;
  lines: number;
  malformed: number;
  unregistered: number;
  started: Set<string>;
  closed: Set<string>;
  recovered: Set<string>;
}

/** The same count, made of lines that were parsed whole, one by one. */
function countSlowly(bytes: Buffer): Slow {
  const slow: Slow = {
    episodes: new Map(),
    lines: 0,
    malformed: 0,
    unregistered: 0,
    started: new Set(),
    closed: new Set(),
    recovered: new Set(),
  };
  for (let start = 0; ;) {
    const newline = bytes.indexOf(10, start);
    if (newline === -1) return slow;
    const end = newline > start && bytes[newline - 1] === 13 ? newline - 1 : newline;
    countLine(slow, bytes.subarray(start, end));
    start = newline + 1;
  }
}

function countLine(slow: Slow, bytes: Buffer): void {
  slow.lines += 1;
  const parsed = parseLineBytes(bytes, 0, bytes.length);
  if (parsed === undefined) {
    slow.malformed += 1;
    return;
  }
  const { event, session, ts, fields } = parsed;
  if (!isRegistered(event)) slow.unregistered += 1;
  const recovered = fields.get("session_id");
  if (event === "session.recovered" && typeof recovered === "string" && recovered !== "") {
    slow.recovered.add(recovered);
  }
  if (session === undefined || session === "") return;
  if (event === "session.started") slow.started.add(session);
  if (event === "session.closed") slow.closed.add(session);
  const before = slow.episodes.get(session) ?? { events: 0, checkpoints: 0, tasks: [] };
  const after: EpisodeSummary = { ...before, events: before.events + 1 };
  if (STAMP.test(ts) && ts >= (before.lastActivity ?? "")) {
    after.lastActivity = ts;
    after.lastEvent = event;
  }
  const task = fields.get("task_id");
  const isTask = WORK.has(event) && typeof task === "string" && task !== "" && task !== "none";
  if (isTask && !before.tasks.includes(task)) after.tasks = [...before.tasks, task];
  if (event === "task.checkpoint" && typeof fields.get("checkpoint_path") === "string")
    after.checkpoints += 1;
  slow.episodes.set(session, after);
}

function plainly({
  episodes,
  lines,
  malformed,
  unregistered,
  started,
  closed,
  recovered,
}: LedgerTally): Slow {
  return {
    episodes: new Map(episodes),
    lines,
    malformed,
    unregistered,
    started: new Set(started),
    closed: new Set(closed),
    recovered: new Set(recovered),
  };
}

/** The counts of a file before it grew beyond `cut`, then in one go, in a second reading, and in parts. */
function counts(bytes: Buffer, cut: number): Slow[] {
  const target = makeLedger("");
  writeFileSync(target.ledger, bytes.subarray(0, cut));
  const early = summariseLedger(target.ledger);
  appendFileSync(target.ledger, bytes.subarray(cut));
  const whole = summariseLedger(target.ledger);
  const grown = summariseLedger(target.ledger, early);
  const ranges = splitLedger(target.ledger, 3);
  const parts = ranges.map((range) => structuredClone(tallyRange(target.ledger, range)));
  return [early, whole, grown, joinTallies(parts)].map(plainly);
}

function slowCounts(bytes: Buffer, cut: number): Slow[] {
  const whole = countSlowly(bytes);
  return [countSlowly(bytes.subarray(0, cut)), whole, whole, whole];
}

const session = fc.constantFrom("s-20260904153733-fc51", "s-20260904153733-fc52", "s-1", "é", 'a"b', "");
const stamp = fc.constantFrom(
  "2026-09-04T15:37:33Z",
  "2026-09-04T15:37:34Z",
  "2026-09-04T15:37:3xZ",
  "odd",
  "",
);
const task = fc.constantFrom("t-1", "t-2", "t-é", "none", "", "a\\b");
const event = fc.constantFrom(
  "task.started",
  "task.checkpoint",
  "session.started",
  "session.closed",
  "session.recovered",
  "decision.recorded",
);
const payload = {
  task_id: task,
  checkpoint_path: fc.constantFrom("p", ""),
  session_id: session,
  profile: fc.string(),
  owner: fc.string({ unit: "binary" }),
  scope: fc.array(fc.string(), { maxLength: 2 }),
  outcome: fc.constant("o"),
  session_path: fc.constant("p"),
  reason: fc.constant("r"),
  decision: fc.string(),
};
const composed = fc
  .tuple(event, fc.record(payload), stamp, session, fc.constantFrom("main", "feature/ü", 'odd"one'))
  .map(([of, members, ts, owner, branch]) => line(of, members, { ts, branch, session: owner }));
/** A composed line whose members stand in another order, more than once, or with blanks and escapes. */
const rearranged = fc
  .tuple(composed, fc.nat(11), fc.nat(11), fc.constantFrom(",", " , ", ",\t"))
  .map(([text, from, to, comma]) => {
    const members = text.slice(1, -1).split(/,(?=")/);
    members.splice(to, 0, members[from % members.length] ?? '""');
    return `{${members.join(comma)}}`;
  });
/** A key of the envelope that comes again, with a blank behind its colon: only the first counts. */
const repeated = composed.map((text) => text.replace(/[}]$/, ',"event": "task.started"}'));
const escaped = composed.map((text) => text.replace('"event"', String.raw`"\u0065vent"`));
const unescaped = composed.map((text) =>
  text.replaceAll("-1", String.raw`\u002d1`).replace('"a', String.raw`"\a`),
);
/** A composed line with some bytes of it changed, dropped or doubled. */
const damaged = fc
  .tuple(composed, fc.nat(400), fc.nat(3), fc.constantFrom("", '"', "\\", "{", "}", ",", "\0", "\r", "x"))
  .map(([text, at, dropped, put]) => text.slice(0, at) + put + text.slice(at + dropped));
const anyLine = fc.oneof(
  { weight: 6, arbitrary: composed },
  rearranged,
  repeated,
  escaped,
  unescaped,
  damaged,
  fc.constantFrom("", "{}", "bad", '{"ts":"t","event":"e","session":1}', '{"ts":"t", "event": "e"}'),
);

describe("what a ledger is counted to", () => {
  it("is what its lines say that are parsed one by one, whatever their form", () => {
    const ledgers = fc.tuple(
      fc.array(fc.tuple(anyLine, fc.constantFrom("\n", "\n", "\n", "\r\n")), { maxLength: 25 }),
      fc.nat(),
      fc.constantFrom("", '{"ts":"2026-09-04T15:37:33Z","ev', "}"),
    );
    fc.assert(
      fc.property(ledgers, ([lines, cut, tail]) => {
        const bytes = Buffer.from(lines.map((pair) => pair.join("")).join("") + tail);
        const at = bytes.length === 0 ? 0 : cut % bytes.length;
        expect(counts(bytes, at)).toEqual(slowCounts(bytes, at));
      }),
      { numRuns: 80 },
    );
  });

  it("is so for any bytes, those that are no text among them", () => {
    const spot = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }));
    const ledgers = fc.tuple(
      fc.array(composed, { minLength: 1, maxLength: 12 }),
      fc.array(spot, { maxLength: 6 }),
    );
    fc.assert(
      fc.property(ledgers, ([lines, spots]) => {
        const bytes = Buffer.from(joined(lines));
        for (const [at, byte] of spots) bytes[at % bytes.length] = byte;
        const at = Math.floor(bytes.length / 2);
        expect(counts(bytes, at)).toEqual(slowCounts(bytes, at));
      }),
      { numRuns: 80 },
    );
  });

  it("is so where bytes that are no text are one text, and another spelling is another", () => {
    const of = (id: string): Buffer =>
      Buffer.from(joined([line("task.started", { ...WHOLE, task_id: "t" }, { session: id })]), "latin1");
    const texts = ["\u00ff", "\u00fe", "\u00ef\u00bf\u00bd", "\u0080", "a\u00ffb", "a\u00feb"];
    const bytes = Buffer.concat(texts.map(of));
    expect(counts(bytes, 0)).toEqual(slowCounts(bytes, 0));
    expect(countSlowly(bytes).episodes.size).toBe(2);
  });

  it("is so for lines that are longer than what is read at once", () => {
    const long = "x".repeat(700_000);
    const lines = [
      line("decision.recorded", { decision: long }, { session: "s-1" }),
      line("task.started", { ...WHOLE, task_id: "t-1" }, { session: long }),
      line("task.started", { ...WHOLE, task_id: long }, { session: "s-1", branch: long.slice(0, 2000) }),
      line("task.started", { ...WHOLE, task_id: "t-2" }, { session: "s-1" }),
    ];
    const bytes = Buffer.from(joined([...lines, long, ...lines.map((text) => text.slice(0, -1))]));
    expect(counts(bytes, 1_000_000)).toEqual(slowCounts(bytes, 1_000_000));
  });

  it("is so for episodes with more tasks than are walked, near each other or far apart", () => {
    const of = (episode: number, number: number): string =>
      line("task.started", { ...WHOLE, task_id: `t-${number}` }, { session: `s-${episode}` });
    const everywhere = Array.from({ length: 3000 }, (_, index) => of(0, index));
    const back = Array.from({ length: 1500 }, (_, index) => of(1, 1500 - index));
    const apart = Array.from({ length: 600 }, (_, index) => of(2 + (index % 3), (index * 3571) % 3000));
    const lines = [...everywhere, ...back, ...apart, ...back.slice(0, 100), ...apart];
    const bytes = Buffer.from(joined(lines));
    const at = Math.floor(bytes.length * 0.7);
    expect(counts(bytes, at)).toEqual(slowCounts(bytes, at));
  });
});

const WHOLE = { profile: "p", owner: "o", scope: ["s"] };
