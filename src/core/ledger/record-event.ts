import { formatTimestamp } from "../base/time.ts";
import { PRODUCER } from "../base/version.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { headText } from "../checkout/checkout.ts";
import { LockTimeout } from "../fs/lock.ts";
import { shadowLines } from "../journal/shadow-journal.ts";
import { spoolLines } from "../journal/spool.ts";
import { appendEvents, ledgerLock } from "./append.ts";
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
 * Appends one event to the ledger, and to the shadow journal of its episode.
 *
 * @returns `deferred` when the ledger stayed locked and the final bytes went to the spool.
 * @throws LockTimeout when the ledger stayed locked and the event may not be put aside.
 */
export function recordEvent(
  checkout: Checkout,
  event: string,
  payload: Payload,
  options: EventOptions = {},
): Recorded {
  const line = composeLine(
    {
      ts: formatTimestamp(checkout.clock.now()),
      event,
      head: headText(checkout),
      branch: checkout.branch,
      by: PRODUCER,
      ...(options.session === undefined ? {} : { session: options.session }),
    },
    payload,
  );
  const recorded = append(checkout, line, options.deferrable ?? false);
  if (options.session !== undefined) shadowLines(checkout.common, options.session, [line]);
  return recorded;
}

function append(checkout: Checkout, line: string, deferrable: boolean): Recorded {
  const { ledger, locks } = checkout.layout;
  try {
    appendEvents(
      { ledger, locks, clock: checkout.clock, durable: checkout.settings.switches.durability === "full" },
      [line],
      checkout.patience.remaining(),
    );
    return "written";
  } catch (error) {
    if (!deferrable || !(error instanceof LockTimeout)) throw error;
    spoolLines(checkout.common, ledger, ledgerLock(checkout.layout), [line]);
    return "deferred";
  }
}
