import type { ContinuityState, Offer } from "../records/continuity-cache.ts";
import { Lineage } from "./lineage.ts";
import { hiddenRecords } from "./place.ts";
import type { ContinuityPlace } from "./place.ts";
import type { Store } from "./store.ts";
import type { RecordSummary } from "./summary.ts";
import { latestFirst } from "./views.ts";

/**
 * What could be resumed here (records.md 14.13): heads that another machine published and that no branch of
 * this checkout has gone past; those a person hid on this machine are left out. The latest first.
 */
export function resumable(
  store: Pick<Store, "records">,
  positions: Iterable<string>,
  facts: { ownNode: string | undefined; hidden: ReadonlySet<string> },
): RecordSummary[] {
  const lineage = new Lineage(store.records);
  const passed = lineage.ancestry(positions);
  const heads = [...lineage.lines().keys()].flatMap((line) => lineage.heads(line));
  return heads
    .flatMap((id) => store.records.get(id) ?? [])
    .filter(({ id, node }) => node !== facts.ownNode && !passed.has(id) && !facts.hidden.has(id))
    .toSorted(latestFirst);
}

/** The same, of this checkout. */
export function resumableHere(
  place: ContinuityPlace,
  store: Pick<Store, "records">,
  state: Pick<ContinuityState, "branches">,
): RecordSummary[] {
  const positions = [...state.branches.values()].map(({ record }) => record);
  return resumable(store, positions, { ownNode: place.device?.node, hidden: hiddenRecords(place) });
}

/** An offer as this checkout's notes keep it. */
export function offerOf({ id, label, branch, publishedAt, task, issue }: RecordSummary): Offer {
  return {
    record: id,
    device: label,
    ...(branch === undefined ? {} : { branch }),
    published_at: publishedAt,
    ...(task === undefined ? {} : { task }),
    ...(issue === undefined ? {} : { issue }),
  };
}

/** The state with its offers worked out anew. */
export function withOffers(
  place: ContinuityPlace,
  store: Pick<Store, "records">,
  state: ContinuityState,
): ContinuityState {
  return { ...state, offers: resumableHere(place, store, state).map(offerOf) };
}
