import * as z from "zod/mini";
import type { Checkout } from "../checkout/checkout.ts";
import { electedRemote } from "../git/remote.ts";
import { LastSync, Position } from "../records/continuity-cache.ts";
import { positionHere } from "./compose.ts";
import { Diagnostic, diagnostic } from "./diagnostic.ts";
import { Lineage } from "./lineage.ts";
import { resumableHere } from "./offers.ts";
import { openContinuity, recallState } from "./place.ts";
import type { ContinuityPlace } from "./place.ts";
import { readSourceState } from "./source-state.ts";
import { diagnose, statusOfStore, StoreStatus } from "./store-status.ts";
import type { SyncState } from "./store-status.ts";
import { readStore } from "./store.ts";
import type { Store } from "./store.ts";
import { latestFirst, RecordView, recordViewer } from "./views.ts";

const text = z.string();

/** A line of records, as far as it is here. */
export const LineView = z.object({
  id: text,
  state: z.enum(["linear", "diverged"]),
  records: z.int(),
  /** The ids that nothing goes on from. */
  heads: z.array(text),
});

export const StatusAnswer = z.object({
  /** 32 hex. */
  repository: text,
  /** This machine; absent while it has no key. */
  device: z.optional(z.object({ node: text, label: text, public_key: text })),
  branch: text,
  head: z.optional(text),
  working_tree: z.enum(["clean", "dirty"]),
  /** Where this branch stands. */
  position: z.optional(Position),
  store: StoreStatus,
  last_sync: z.optional(LastSync),
  lines: z.array(LineView),
  resumable: z.array(RecordView),
  diagnostics: z.array(Diagnostic),
  next: z.optional(z.array(text)),
});
export type StatusAnswer = z.infer<typeof StatusAnswer>;

export const RecordsAnswer = z.object({
  /** By their own stamps, the latest first. */
  records: z.array(RecordView),
  lines: z.array(LineView),
  refused: z.array(z.object({ path: text, code: text, message: text })),
  diagnostics: z.array(Diagnostic),
});
export type RecordsAnswer = z.infer<typeof RecordsAnswer>;

function lineViews(store: Store): z.infer<typeof LineView>[] {
  const lineage = new Lineage(store.records);
  return [...lineage.lines()].map(([id, records]) => {
    const heads = [...lineage.heads(id)];
    return { id, state: heads.length > 1 ? ("diverged" as const) : ("linear" as const), records, heads };
  });
}

const WAITS_FOR_SYNC: ReadonlySet<SyncState> = new Set(["pending", "never_synced", "diverged", "behind"]);

function ambiguousRemote({ checkout }: ContinuityPlace): Diagnostic[] {
  const elected = electedRemote(checkout.repository, checkout.branch);
  if (elected.ok) return [];
  const message = `which remote? none is this branch's, none is origin: ${elected.error.join(", ")}`;
  return [diagnostic("warning", "continuity.remote_ambiguous", message)];
}

/**
 * Where this checkout stands among the machines, from what is here: no network, nothing written
 * (records.md 14.14).
 *
 * @throws MajordomusError 10 or 13 as {@link openContinuity} and the store do.
 */
export function readStatus(
  checkout: Checkout,
  place: ContinuityPlace = openContinuity(checkout),
): StatusAnswer {
  const state = recallState(place);
  const store = readStore(place.store);
  const source = readSourceState(checkout, { fingerprint: false });
  const status = statusOfStore(place, store, state);
  const { position } = positionHere(place, store, state);
  const offers = resumableHere(place, store, state);
  const diagnostics = diagnose(place, store);
  const lost = diagnostics.some(({ code }) => code === "continuity.published_missing");
  const next = [
    ...(WAITS_FOR_SYNC.has(status.sync) || lost ? ["majordomus continuity sync"] : []),
    ...(offers.length > 0 ? ["majordomus continuity plan"] : []),
  ];
  const { device } = place;
  return {
    repository: place.repositoryId,
    ...(device === undefined
      ? {}
      : { device: { node: device.node, label: device.label, public_key: device.publicKey } }),
    branch: checkout.branch,
    ...(checkout.head === undefined ? {} : { head: checkout.head }),
    working_tree: source.working_tree,
    ...(position === undefined ? {} : { position }),
    store: status,
    ...(state.lastSync === undefined ? {} : { last_sync: state.lastSync }),
    lines: lineViews(store),
    resumable: offers.map(recordViewer(place)),
    diagnostics: [...diagnostics, ...(status.remote === undefined ? ambiguousRemote(place) : [])],
    ...(next.length === 0 ? {} : { next }),
  };
}

/**
 * Every record of the store, and every file in it that is none.
 *
 * @throws MajordomusError 10 or 13 as {@link openContinuity} and the store do.
 */
export function readRecords(
  checkout: Checkout,
  place: ContinuityPlace = openContinuity(checkout),
): RecordsAnswer {
  const store = readStore(place.store);
  return {
    records: [...store.records.values()].toSorted(latestFirst).map(recordViewer(place)),
    lines: lineViews(store),
    refused: [...store.refused],
    diagnostics: diagnose(place, store),
  };
}
