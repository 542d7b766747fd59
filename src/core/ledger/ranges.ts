import { stampOf } from "../fs/read.ts";
import { scanLines } from "../fs/scan.ts";
import { MAXIMUM_LINE_BYTES } from "./read.ts";
import { LedgerCounter } from "./tally.ts";
import type { EpisodeSummary, LedgerTally } from "./tally.ts";

/** Lines of a ledger that begin in `[from, to)`; `from` is the start of a line. */
export interface LedgerRange {
  from: number;
  to: number;
}

/**
 * Cuts a ledger into ranges of about the same size at line starts, so that several threads can read it. All
 * lines that were complete when it was cut are in exactly one range.
 */
export function splitLedger(path: string, parts: number): LedgerRange[] {
  const size = stampOf(path)?.size ?? 0;
  const ranges: LedgerRange[] = [];
  let from = 0;
  for (let part = 1; part <= parts && from < size; part += 1) {
    const aim = Math.floor((size * part) / parts);
    const to = part === parts ? size : lineStartAfter(path, aim);
    if (to > from) ranges.push({ from, to });
    from = Math.max(from, to);
  }
  return ranges;
}

function lineStartAfter(path: string, offset: number): number {
  return scanLines(path, offset, () => {}, { to: offset + 1, chunkBytes: 64 * 1024 }).consumed;
}

/** Counts the lines of one range. */
export function tallyRange(path: string, range: LedgerRange): LedgerTally {
  const counter = new LedgerCounter();
  scanLines(path, range.from, (buffer, start, end) => counter.count(buffer, start, end), {
    to: range.to,
    maximumLineBytes: MAXIMUM_LINE_BYTES,
    onOversized: () => counter.countOversized(),
  });
  return counter.result();
}

/** The tally of a whole ledger from those of its ranges, which stand in file order. */
export function mergeTallies(tallies: readonly LedgerTally[]): LedgerTally {
  const episodes = new Map<string, EpisodeSummary>();
  for (const tally of tallies) {
    for (const [session, later] of tally.episodes) {
      const earlier = episodes.get(session);
      episodes.set(session, earlier === undefined ? later : joinSummaries(earlier, later));
    }
  }
  return {
    episodes,
    lines: sum(tallies.map(({ lines }) => lines)),
    malformed: sum(tallies.map(({ malformed }) => malformed)),
    unregistered: sum(tallies.map(({ unregistered }) => unregistered)),
    started: new Set(tallies.flatMap(({ started }) => [...started])),
    closed: new Set(tallies.flatMap(({ closed }) => [...closed])),
    recovered: new Set(tallies.flatMap(({ recovered }) => [...recovered])),
  };
}

function joinSummaries(earlier: EpisodeSummary, later: EpisodeSummary): EpisodeSummary {
  const newest = (later.lastActivity ?? "") >= (earlier.lastActivity ?? "") ? later : earlier;
  return {
    ...newest,
    events: earlier.events + later.events,
    checkpoints: earlier.checkpoints + later.checkpoints,
    tasks: [...new Set([...earlier.tasks, ...later.tasks])],
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
