import * as z from "zod/mini";
import { isAncestor } from "../git/plumbing.ts";
import { electedRemote, listRemotes } from "../git/remote.ts";
import type { ContinuityState } from "../records/continuity-cache.ts";
import { diagnostic } from "./diagnostic.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { Lineage } from "./lineage.ts";
import type { ContinuityPlace } from "./place.ts";
import { lostRecords } from "./published.ts";
import { readTip } from "./store-files.ts";
import { readStoreAt, STORE_REFERENCE, storeFindings, trackingReference } from "./store.ts";
import type { Store } from "./store.ts";
import { listUnfinished } from "./unfinished.ts";

export const SyncState = z.enum([
  "no_remote",
  "empty",
  "never_synced",
  "behind",
  "in_sync",
  "pending",
  "diverged",
]);
export type SyncState = z.infer<typeof SyncState>;

/** How the store stands to what its remote had when it was last looked at. */
export const StoreStatus = z.object({
  reference: z.string(),
  tip: z.optional(z.string()),
  remote: z.optional(z.string()),
  /** What the remote had at the last look. */
  remote_tip: z.optional(z.string()),
  sync: SyncState,
  /** Admitted ones. */
  records: z.int(),
  /** Files that were refused. */
  refused: z.int(),
});
export type StoreStatus = z.infer<typeof StoreStatus>;

/**
 * The remote that a status is about: the last one that was synced with, while it is configured, else the elected one
 * (promise 34).
 */
export function knownRemote(
  place: Pick<ContinuityPlace, "checkout">,
  state: Pick<ContinuityState, "lastSync">,
): string | undefined {
  const { repository, branch } = place.checkout;
  const last = state.lastSync?.remote;
  if (last !== undefined && listRemotes(repository).some(({ name }) => name === last)) return last;
  const elected = electedRemote(repository, branch);
  return elected.ok ? elected.value?.name : undefined;
}

function hasSameRecords(place: ContinuityPlace, store: Store, remoteTip: string, reference: string): boolean {
  const remote = readStoreAt(place.store, remoteTip, reference);
  return (
    remote.records.size === store.records.size &&
    [...store.records.keys()].every((id) => remote.records.has(id))
  );
}

function compareTips(place: ContinuityPlace, store: Store, remoteTip: string, reference: string): SyncState {
  const { tip } = store;
  // A remote that has nothing for this repository has nothing that anybody waits for.
  if (tip === undefined) return hasSameRecords(place, store, remoteTip, reference) ? "empty" : "behind";
  if (tip === remoteTip) return "in_sync";
  const { repository } = place.store;
  const ahead = isAncestor(repository, remoteTip, tip) === true;
  // A merge that brought no record is nothing that anybody waits for.
  if (hasSameRecords(place, store, remoteTip, reference)) return "in_sync";
  if (ahead) return "pending";
  return isAncestor(repository, tip, remoteTip) === true ? "behind" : "diverged";
}

/** How the store stands, without any network (records.md 14.14). */
export function statusOfStore(place: ContinuityPlace, store: Store, state: ContinuityState): StoreStatus {
  const remote = knownRemote(place, state);
  const reference = remote === undefined ? undefined : trackingReference(remote);
  const remoteTip = reference === undefined ? undefined : readTip(place.store.repository, reference);
  const sync = (): SyncState => {
    if (reference === undefined) return "no_remote";
    if (remoteTip === undefined) return store.tip === undefined ? "empty" : "never_synced";
    return compareTips(place, store, remoteTip, reference);
  };
  return {
    reference: STORE_REFERENCE,
    ...(store.tip === undefined ? {} : { tip: store.tip }),
    ...(remote === undefined ? {} : { remote }),
    ...(remoteTip === undefined ? {} : { remote_tip: remoteTip }),
    sync: sync(),
    records: store.records.size,
    refused: store.refused.length,
  };
}

/** Everything that is not as it should be in a store, its lines, and this machine's part of them. */
export function diagnose(place: ContinuityPlace, store: Store): Diagnostic[] {
  const lost = lostRecords(place, store).length;
  const unfinished = listUnfinished(place).length;
  return [
    ...(place.device === undefined
      ? [
          diagnostic(
            "info",
            "continuity.no_device_identity",
            "this machine has no key yet; the first publication makes one",
          ),
        ]
      : []),
    ...(lost === 0
      ? []
      : [
          diagnostic(
            "warning",
            "continuity.published_missing",
            `${lost} record(s) that were published here are not in the store any more; the next publish or sync puts them back`,
          ),
        ]),
    ...(unfinished === 0
      ? []
      : [
          diagnostic(
            "info",
            "continuity.publication_unfinished",
            `${unfinished} publication(s) did not come to their end here; the next publish or sync settles them`,
          ),
        ]),
    ...storeFindings(store),
    ...new Lineage(store.records).findings(),
  ];
}
