import { scanLines, scanMatching } from "../fs/scan.ts";
import type { ScanEnd } from "../fs/scan.ts";
import { parseLineBytes } from "./line.ts";
import type { LedgerLine } from "./line.ts";
import { LineProbe } from "./probe.ts";
import { isRegistered } from "./vocabulary.ts";

/** A longer line is counted as malformed instead of being read into memory. */
export const MAXIMUM_LINE_BYTES = 16 * 1024 * 1024;

/** How far a reading came, and what it could not read. */
export interface LedgerEnd extends ScanEnd {
  /** Complete lines, malformed ones included. */
  lines: number;
  malformed: number;
}

/**
 * Visits every valid line from byte `from` on, in file order. Malformed lines are counted and skipped; a
 * half-written last line is left for the next reading, which goes on at `consumed`.
 */
export function scanLedger(
  path: string,
  visit: (line: LedgerLine, offset: number) => void,
  from: number = 0,
): LedgerEnd {
  let lines = 0;
  let malformed = 0;
  const end = scanLines(
    path,
    from,
    (buffer, start, stop, offset) => {
      lines += 1;
      const line = parseLineBytes(buffer, start, stop);
      if (line === undefined) malformed += 1;
      else visit(line, offset);
    },
    {
      maximumLineBytes: MAXIMUM_LINE_BYTES,
      onOversized: () => {
        lines += 1;
        malformed += 1;
      },
    },
  );
  return { ...end, lines, malformed };
}

/**
 * The lines of one episode, in file order: those whose first `session` is its id (records.md 3.6). Only
 * lines that hold the id's bytes are parsed; the id inside a payload does not count.
 *
 * @param paths the ledger, or archives and ledger as `ledgerFiles` lists them.
 */
export function sessionLines(paths: string | readonly string[], sessionId: string): LedgerLine[] {
  const found: LedgerLine[] = [];
  for (const path of typeof paths === "string" ? [paths] : paths) {
    scanMatching(path, Buffer.from(`"${sessionId}"`), 0, (buffer, start, end) => {
      const line = parseLineBytes(buffer, start, end);
      if (line?.session === sessionId) found.push(line);
    });
  }
  return found;
}

const RECORD_NAME_END = ".md";
const NAME = /[A-Za-z0-9._-]+/g;

/**
 * Where each record was last named in the ledger: the order of records that share a second (records.md 4).
 * Only the order of the ranks means something; a record that no line names has rank 0.
 *
 * @param names base names of record files, `<utc>--…--<16hex>.md`.
 */
export function ledgerRanks(path: string, names: Iterable<string>): Map<string, number> {
  const ranks = new Map<string, number>();
  for (const name of names) ranks.set(name, 0);
  if (ranks.size === 0) return ranks;
  scanMatching(path, RECORD_NAME_END, 0, (buffer, start, end, offset) => {
    for (const [name] of buffer.toString("utf8", start, end).matchAll(NAME)) {
      if (ranks.has(name)) ranks.set(name, offset + 1);
    }
  });
  return ranks;
}

/** A line that a check reports, by its number from 1 and its byte offset. */
export interface LinePosition {
  line: number;
  offset: number;
}

export interface LedgerValidation {
  lines: number;
  malformed: LinePosition[];
  /** Lines whose event this version does not know: kept, and reported. */
  unregistered: (LinePosition & { event: string })[];
  /** Bytes after the last newline, and where they begin. */
  tornBytes: number;
  tornOffset: number;
}

/** Judges every line of a ledger by form and vocabulary. */
export function validateLedger(path: string): LedgerValidation {
  const probe = new LineProbe();
  const malformed: LinePosition[] = [];
  const unregistered: LedgerValidation["unregistered"] = [];
  let line = 0;
  const end = scanLines(
    path,
    0,
    (buffer, start, stop, offset) => {
      line += 1;
      const event = probe.read(buffer, start, stop) ? probe.text(1) : undefined;
      if (event === undefined) malformed.push({ line, offset });
      else if (!isRegistered(event)) unregistered.push({ line, offset, event });
    },
    {
      maximumLineBytes: MAXIMUM_LINE_BYTES,
      onOversized: (offset) => {
        line += 1;
        malformed.push({ line, offset });
      },
    },
  );
  return { lines: line, malformed, unregistered, tornBytes: end.tornBytes, tornOffset: end.consumed };
}
