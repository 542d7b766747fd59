import { dirname, join } from "node:path";
import type { Clock } from "../base/clock.ts";
import { compactTimestamp } from "../base/time.ts";
import { appendLines } from "../fs/append.ts";
import type { AppendResult } from "../fs/append.ts";
import { withLock } from "../fs/lock.ts";
import type { HeldLock } from "../fs/lock.ts";
import { composeLine } from "./line.ts";
import type { Envelope, Payload } from "./line.ts";
import { settlePending } from "./settle.ts";

/** Where lines go, and what it takes to write them safely. */
export interface LedgerTarget {
  /** The ledger file. */
  ledger: string;
  /** The directory of this store's locks. */
  locks: string;
  clock: Clock;
  /** Wait for the disk (`durability: full`). */
  durable?: boolean;
}

/** The lock that every writer of this ledger takes. */
export function ledgerLock(target: Pick<LedgerTarget, "locks">): string {
  return join(target.locks, "ledger");
}

/** Where the bytes of a torn last line are kept: `ledger.torn.<utc>.<n>` beside the ledger. */
export function tornNames(target: Pick<LedgerTarget, "ledger" | "clock">): (attempt: number) => string {
  const stem = join(dirname(target.ledger), `ledger.torn.${compactTimestamp(target.clock.now())}`);
  return (attempt) => `${stem}.${attempt}`;
}

/**
 * Appends finished lines in one write, under the ledger's lock. A torn last line is kept aside first, and
 * a rotation or a deferred write that was killed is finished first.
 *
 * @param waitMilliseconds how long the lock may be waited for.
 * @returns where the lines stand, and what was torn, for the caller's log.
 * @throws LockTimeout when the ledger stayed locked, LockLost when it was taken away: nothing is written then.
 */
export function appendEvents(
  target: LedgerTarget,
  lines: readonly string[],
  waitMilliseconds: number,
): AppendResult {
  return withLock(ledgerLock(target), { waitMilliseconds }, (lock) => appendHeld(target, lines, lock));
}

/** `appendEvents` for a caller that already holds the ledger's lock. */
export function appendHeld(target: LedgerTarget, lines: readonly string[], lock: HeldLock): AppendResult {
  settlePending(target.ledger, lock);
  lock.assertHeld();
  return appendLines(target.ledger, lines, {
    lock,
    keepTorn: tornNames(target),
    ...(target.durable === undefined ? {} : { durable: target.durable }),
  });
}

/** Composes one line and appends it: `composeLine` and `appendEvents` together. */
export function composeAndAppend(
  target: LedgerTarget,
  envelope: Envelope,
  payload: Payload,
  waitMilliseconds: number,
): AppendResult {
  return appendEvents(target, [composeLine(envelope, payload)], waitMilliseconds);
}
