import { completeLines } from "../fs/append.ts";
import type { HeldLock } from "../fs/lock.ts";
import { stampOf } from "../fs/read.ts";
import { settleRotation } from "./files.ts";
import { isPending, readPending, writePending } from "./pending.ts";

/**
 * Brings to its end what was killed at a ledger: every writer begins with it, under the ledger's lock, and
 * nothing else costs it more than one look.
 */
export function settlePending(ledger: string, lock: HeldLock): void {
  if (!isPending(ledger)) return;
  settleDeferred(ledger, lock);
  settleRotation(ledger);
}

/**
 * A write of deferred lines that was killed stands at exactly its noted offset, whole or in part, or it does
 * not stand: nobody writes there before this is settled, so no line of another is ever taken for one of it.
 */
function settleDeferred(ledger: string, lock: HeldLock): void {
  const { deferred, ...others } = readPending(ledger);
  if (deferred?.begun === undefined) return;
  const { inode, offset, lines } = deferred.begun;
  const stands = stampOf(ledger)?.inode === inode && completeLines(ledger, lines, offset, lock);
  writePending(ledger, stands ? { ...others, deferred: { ids: deferred.ids } } : others);
}
