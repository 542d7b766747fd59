import { formatTimestamp } from "../base/time.ts";
import { PRODUCER } from "../base/version.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { headText } from "../checkout/checkout.ts";
import { isLockTimeout } from "../fs/lock.ts";
import { takeBackLines } from "../fs/append.ts";
import { withPatientLock } from "../fs/patient-lock.ts";
import { makeDirectory } from "../fs/write.ts";
import { shadowLines } from "../journal/shadow-journal.ts";
import { spoolLines } from "../journal/spool.ts";
import { appendHeld, ledgerLock } from "./append.ts";
import { composeLine } from "./line.ts";
import type { Payload } from "./line.ts";

export type Recorded = "written" | "deferred";

export interface EventOptions {
  /** The episode that the line belongs to; a line without one belongs to nobody. */
  session?: string | undefined;
  /** Put the line aside when the ledger stays locked, instead of failing: what a hook does. */
  deferrable?: boolean;
}

/**
 * Appends one event to the ledger, and to the shadow journal of its episode: to both, or to neither.
 *
 * @returns `deferred` when the ledger stayed locked and the final bytes went to the spool.
 * @throws LockTimeout when the ledger stayed locked and the event may not be put aside; whatever the disk refuses.
 */
export function recordEvent(
  checkout: Checkout,
  event: string,
  payload: Payload,
  options: EventOptions = {},
): Recorded {
  return recordEvents(checkout, event, [payload], options);
}

/** `recordEvent` for several payloads of one event: their lines are appended together, in one write. */
export function recordEvents(
  checkout: Checkout,
  event: string,
  payloads: readonly Payload[],
  options: EventOptions = {},
): Recorded {
  if (payloads.length === 0) return "written";
  const envelope = {
    ts: formatTimestamp(checkout.clock.now()),
    event,
    head: headText(checkout),
    branch: checkout.branch,
    by: PRODUCER,
    ...(options.session === undefined ? {} : { session: options.session }),
  };
  const lines = payloads.map((payload) => composeLine(envelope, payload));
  const shadow = (): void => {
    if (options.session !== undefined) shadowLines(checkout.common, options.session, lines);
  };
  return append(checkout, lines, shadow, options.deferrable ?? true);
}

function append(
  checkout: Checkout,
  lines: readonly string[],
  shadow: () => void,
  deferrable: boolean,
): Recorded {
  const { ledger, locks } = checkout.layout;
  const lockPath = ledgerLock(checkout.layout);
  const durable = checkout.settings.switches.durability === "full";
  try {
    makeDirectory(locks);
    withPatientLock(lockPath, checkout.patience, (lock) => {
      const appended = appendHeld({ ledger, locks, clock: checkout.clock, durable }, lines, lock);
      try {
        shadow();
      } catch (error) {
        // Who is told that this failed writes it again: what stands by half would then stand twice.
        takeBackLines(ledger, appended, lock);
        throw error;
      }
    });
    return "written";
  } catch (error) {
    if (!deferrable || !isLockTimeout(error)) throw error;
  }
  spoolLines(checkout.common, ledger, lockPath, lines);
  try {
    shadow();
  } catch {
    // They wait for the ledger and cannot be called back: whoever drains may have them already.
  }
  return "deferred";
}
