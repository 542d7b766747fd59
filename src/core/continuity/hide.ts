import { join } from "node:path";
import * as z from "zod/mini";
import { formatTimestamp } from "../base/time.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { createExclusive, makeDirectory, removeFile } from "../fs/write.ts";
import { findRecord } from "./find-record.ts";
import { withOffers } from "./offers.ts";
import { openContinuity, recallState, rememberState, whilePositioned } from "./place.ts";
import type { ContinuityPlace } from "./place.ts";
import { readStore } from "./store.ts";
import { RecordView, recordViewer } from "./views.ts";

export const HideInput = z.strictObject({
  record: z.string(),
  /** Offer it again. */
  undo: z.optional(z.boolean()),
});

export const HideAnswer = z.object({
  record: RecordView,
  hidden: z.boolean(),
  /** False where it was so before. */
  changed: z.boolean(),
});
export type HideAnswer = z.infer<typeof HideAnswer>;

/**
 * Offers a record no more on this machine, or again. The record itself stays, here and everywhere: nothing
 * withdraws what was published (promise 30).
 *
 * @throws MajordomusError 12, 10 or 2 where no one record is named.
 */
export function hideRecord(
  checkout: Checkout,
  request: z.infer<typeof HideInput>,
  place: ContinuityPlace = openContinuity(checkout),
): HideAnswer {
  const store = readStore(place.store);
  const record = findRecord(store, request.record);
  const path = join(place.memory.hidden, record.id);
  const hidden = request.undo !== true;
  return whilePositioned(place, (lock) => {
    const state = recallState(place);
    makeDirectory(place.memory.hidden, 0o700);
    const changed = hidden
      ? createExclusive(path, `${formatTimestamp(checkout.clock.now())}\n`, { mode: 0o600, durable: true })
      : removeFile(path);
    rememberState(place, withOffers(place, store, state), lock);
    return { record: recordViewer(place)(record), hidden, changed };
  });
}
