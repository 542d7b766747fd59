import { appendLines } from "../fs/append.ts";
import type { HeldLock } from "../fs/lock.ts";
import { stampOf } from "../fs/read.ts";
import { tornNames } from "./append.ts";
import type { LedgerTarget } from "./append.ts";
import { readPending, writePending } from "./pending.ts";
import { settlePending } from "./settle.ts";

/** Lines that were put aside, under a name that no others ever have. */
export interface DeferredLines {
  id: string;
  lines: readonly string[];
}

/**
 * Appends what was put aside, in order and each exactly once, whoever is killed where: what is about to be
 * written, and at which offset, is noted first, and every writer settles such a note before it writes itself
 * (decisions.md 1.5). The caller holds the ledger's lock.
 *
 * @param forget takes what waited under these names away, for good: their lines stand.
 * @throws LockLost, or the errno error; whatever was not forgotten is to be given again.
 */
export function appendDeferred(
  target: LedgerTarget,
  waiting: readonly DeferredLines[],
  lock: HeldLock,
  forget: (ids: ReadonlySet<string>) => void,
): void {
  settlePending(target.ledger, lock);
  const standing = new Set(readPending(target.ledger).deferred?.ids);
  if (standing.size > 0) finish(target.ledger, standing, forget);
  const missing = waiting.filter(({ id }) => !standing.has(id));
  const ids = missing.map(({ id }) => id);
  const lines = missing.flatMap((deferred) => deferred.lines);
  appendLines(target.ledger, lines, {
    lock,
    durable: true,
    keepTorn: tornNames(target),
    announce: (offset) => {
      const inode = stampOf(target.ledger)?.inode ?? "";
      writePending(
        target.ledger,
        { ...readPending(target.ledger), deferred: { ids, begun: { inode, offset, lines } } },
        { durable: true },
      );
    },
  });
  if (ids.length > 0) finish(target.ledger, new Set(ids), forget);
}

/** The note goes last: as long as it stands, nothing of it is written again. */
function finish(ledger: string, ids: ReadonlySet<string>, forget: (ids: ReadonlySet<string>) => void): void {
  forget(ids);
  const { deferred: _, ...others } = readPending(ledger);
  writePending(ledger, others);
}
