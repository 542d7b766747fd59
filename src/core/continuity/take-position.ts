import { EXIT, MajordomusError } from "../base/error.ts";
import { formatTimestamp } from "../base/time.ts";
import type { HeldLock } from "../fs/lock.ts";
import { withOffers } from "./offers.ts";
import { recallState, rememberState } from "./place.ts";
import type { ContinuityPlace } from "./place.ts";
import { readStore } from "./store.ts";
import type { RecordSummary } from "./summary.ts";

/**
 * Takes a branch's position on a record that was published here and is in the store, and works out the offers anew.
 *
 * @param branch or `DETACHED`.
 * @throws MajordomusError 13 where the store has no such record, or the position cannot be saved.
 */
export function takePublishedPosition(
  place: ContinuityPlace,
  branch: string,
  id: string,
  lock: HeldLock,
): RecordSummary {
  const store = readStore(place.store);
  const record = store.records.get(id);
  if (record === undefined) {
    throw new MajordomusError({
      code: "continuity.not_written",
      exit: EXIT.internal,
      subject: id,
      message: "is not in the store after it was added",
    });
  }
  const state = recallState(place);
  const at = formatTimestamp(place.checkout.clock.now());
  const position = { line: record.line, record: record.id, via: "published" as const, at };
  const branches = new Map(state.branches).set(branch, position);
  rememberState(place, withOffers(place, store, { ...state, branches }), lock);
  return record;
}
