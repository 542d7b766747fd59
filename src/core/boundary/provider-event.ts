import type { Checkout } from "../checkout/checkout.ts";
import type { Payload } from "../ledger/line.ts";
import { recordEvent } from "../ledger/record-event.ts";
import type { Recorded } from "../ledger/record-event.ts";
import { storedSessionId } from "../records/session-key.ts";
import type { LifecycleEvent } from "./event.ts";

/**
 * Notes in the ledger that a start, a compaction or an end came (decisions.md 1). Words of a payload are first
 * cut to what records may hold (records.md 3.2): a ledger line takes everything else as it is.
 */
export function recordProviderEvent(
  checkout: Checkout,
  event: LifecycleEvent,
  name: "start" | "compact" | "end",
  options: { session: string | undefined; facts?: Payload },
): Recorded {
  const payload: Payload = {
    provider: event.provider,
    provider_event: name,
    provider_session: storedSessionId(event.session),
    source: event.source,
    trigger: event.trigger,
    reason: storedSessionId(event.reason),
    declared: event.declared,
    seen: event.declared === undefined ? undefined : event.provider,
    ...options.facts,
  };
  return recordEvent(checkout, "provider.event.received", payload, {
    session: options.session,
    deferrable: true,
  });
}
