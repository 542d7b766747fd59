import type { Checkout } from "../checkout/checkout.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { scanLines, scanMatching } from "../fs/scan.ts";
import { listEnded, listRegistrations } from "../journal/registration.ts";
import type { Registration } from "../journal/registration.ts";
import { findShadowJournal } from "../journal/shadow-journal.ts";
import { spoolNumbers } from "../journal/spool-file.ts";
import { readLedgerFiles } from "./files.ts";
import { parseLineBytes } from "./line.ts";
import { MAXIMUM_LINE_BYTES } from "./read.ts";
import { summarise } from "./summary-cache.ts";

/** What a ledger must have held, and what is left of it. */
export interface LostLines {
  /** Episodes that began in this worktree and have not one line in the ledger or its archives. */
  episodes: number;
  /** How many lines of those the shadow journals still hold, and of how many episodes. */
  shadowed: { lines: number; episodes: number; directory: string };
}

/** The time of a ledger's first line; undefined where no file has one. */
export function firstTime(files: readonly string[]): string | undefined {
  for (const file of files) {
    let first: string | undefined;
    scanLines(
      file,
      0,
      (buffer, start, end) => {
        first ??= parseLineBytes(buffer, start, end)?.ts;
      },
      { to: 1, maximumLineBytes: MAXIMUM_LINE_BYTES },
    );
    if (first !== undefined) return first;
  }
  return undefined;
}

/** An archive may be thrown away on purpose: then the ledger still says that there was one. */
function wasRotated(files: readonly string[]): boolean {
  let rotated = false;
  for (const file of files) {
    scanMatching(file, '"event":"ledger.rotated"', 0, () => {
      rotated = true;
    });
  }
  return rotated;
}

/**
 * The episodes of this worktree that are sure to have written: closed ones, and open ones whose shadow journal
 * stands, which is written after the ledger.
 */
function writersHere({ common, worktreeIdentity }: Checkout): Registration[] {
  const open = listRegistrations(common)
    .entries.map(({ registration }) => registration)
    .filter(({ session_id }) => findShadowJournal(common, session_id) !== undefined);
  return [...open, ...listEnded(common)].filter(({ worktree_id }) => worktree_id === worktreeIdentity);
}

function linesOf(journal: string): number {
  let lines = 0;
  scanLines(
    journal,
    0,
    () => {
      lines += 1;
    },
    { maximumLineBytes: MAXIMUM_LINE_BYTES },
  );
  return lines;
}

/**
 * What is gone of this store's ledger, by the accounts that stand outside of it; undefined where nothing tells
 * of a loss, and while deferred lines wait. Only episodes from before the ledger's first line are looked for, so
 * that a whole ledger costs one line.
 */
export function lostLines(checkout: Checkout): LostLines | undefined {
  const { common } = checkout;
  if (spoolNumbers(common).length > 0) return undefined;
  const writers = writersHere(checkout);
  const lost = readLedgerFiles(checkout.layout.state, (files) => {
    const first = firstTime(files);
    const before = writers.filter(({ started_at }) => first === undefined || started_at < first);
    if (before.length === 0 || wasRotated(files)) return [];
    return before.filter(({ session_id }) =>
      files.every((file) => summarise(file).episodes.get(session_id) === undefined),
    );
  });
  if (lost.length === 0) return undefined;
  const journals = lost
    .map(({ session_id }) => findShadowJournal(common, session_id))
    .filter((journal) => journal !== undefined);
  const lines = journals.reduce((sum, journal) => sum + linesOf(journal), 0);
  return {
    episodes: lost.length,
    shadowed: { lines, episodes: journals.length, directory: shownPath(checkout.root, common.journal) },
  };
}

/** The loss in one sentence without its subject, with what can be done. */
export function lossText({ episodes, shadowed }: LostLines): string {
  const held =
    shadowed.lines === 0
      ? "no shadow journal holds any"
      : `the shadow journals in ${shadowed.directory} hold ${shadowed.lines} of them, of ${shadowed.episodes} episode(s)`;
  return `has lost the lines of ${episodes} episode(s) that began here; ${held}; put the lost file's lines back before the first that stands here`;
}
