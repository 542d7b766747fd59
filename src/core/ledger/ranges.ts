import { stampOf } from "../fs/read.ts";
import { scanLines } from "../fs/scan.ts";
import { MAXIMUM_LINE_BYTES } from "./read.ts";
import { LedgerCounter } from "./tally.ts";
import { packTally } from "./packed-tally.ts";
import type { PackedTally } from "./packed-tally.ts";

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

/** Counts the lines of one range, in a form that another thread can take. */
export function tallyRange(path: string, range: LedgerRange): PackedTally {
  const counter = new LedgerCounter();
  scanLines(path, range.from, (buffer, start, end) => counter.count(buffer, start, end), {
    to: range.to,
    maximumLineBytes: MAXIMUM_LINE_BYTES,
    onOversized: () => counter.countOversized(),
  });
  return packTally(counter.result());
}
