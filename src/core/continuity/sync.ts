import * as z from "zod/mini";
import type { Cancellation } from "../base/cancellation.ts";
import { EXIT, MajordomusError, reasonOf } from "../base/error.ts";
import { formatTimestamp } from "../base/time.ts";
import type { Checkout } from "../checkout/checkout.ts";
import type { LastSync } from "../records/continuity-cache.ts";
import { Diagnostic, diagnostic } from "./diagnostic.ts";
import { exchange } from "./exchange.ts";
import type { Exchange, Sides } from "./exchange.ts";
import { Lineage } from "./lineage.ts";
import type { Link } from "./lineage.ts";
import { resumableHere, withOffers } from "./offers.ts";
import { openContinuity, recallState, rememberState, whilePositioned } from "./place.ts";
import type { ContinuityPlace } from "./place.ts";
import { putBack } from "./published.ts";
import { chooseRemote } from "./remote-store.ts";
import { diagnose, statusOfStore, StoreStatus } from "./store-status.ts";
import { judgeAhead, readStore } from "./store.ts";
import { listUnfinished, settlePublications } from "./unfinished.ts";
import { RecordView, recordViewer } from "./views.ts";

const text = z.string();

export const SyncInput = z.strictObject({ remote: z.optional(text) });

/** How a line stood on both sides before they were united. */
export const LineRelation = z.enum([
  "equal",
  "remote_newer",
  "local_newer",
  "diverged",
  "local_only",
  "remote_only",
]);
export type LineRelation = z.infer<typeof LineRelation>;

export const SyncAnswer = z.object({
  remote: z.optional(text),
  action: z.enum(["no_remote", "unreachable", "none", "fetched", "published", "exchanged"]),
  outcome: z.enum(["ok", "partial", "unreachable"]),
  /** How many records came, and how many were sent. */
  fetched: z.int(),
  published: z.int(),
  /** Records of this machine that had been dropped from the store and were put back. */
  restored: z.int(),
  lines: z.array(z.object({ line: text, relation: LineRelation, heads: z.array(text) })),
  store: StoreStatus,
  resumable: z.array(RecordView),
  diagnostics: z.array(Diagnostic),
  next: z.optional(z.array(text)),
});
export type SyncAnswer = z.infer<typeof SyncAnswer>;

export interface SyncOptions {
  signal: Cancellation;
  progress: (what: string) => void;
}

/** What a line was to both sides (records.md 14.12). */
export function lineRelation(
  line: string,
  local: { lineage: Lineage; has: (id: string) => boolean },
  remote: { lineage: Lineage; has: (id: string) => boolean },
): LineRelation {
  const ours = local.lineage.heads(line);
  const theirs = remote.lineage.heads(line);
  if (theirs.length === 0) return "local_only";
  if (ours.length === 0) return "remote_only";
  if (ours.join() === theirs.join()) return "equal";
  // A record is reachable where it is present at all: its line's records lead to it or follow from it.
  if (ours.every((head) => remote.has(head) && isBelow(remote.lineage, head, theirs))) return "remote_newer";
  if (theirs.every((head) => local.has(head) && isBelow(local.lineage, head, ours))) return "local_newer";
  return "diverged";
}

function isBelow(lineage: Lineage, head: string, heads: readonly string[]): boolean {
  return heads.some((other) => other === head || lineage.descends(head, other));
}

function relations({ local, remote }: Sides, after: Lineage): SyncAnswer["lines"] {
  const side = (records: ReadonlyMap<string, Link>) => ({
    lineage: new Lineage(records),
    has: (id: string) => records.has(id),
  });
  const [ours, theirs] = [side(local.records), side(remote.records)];
  return [...after.lines().keys()].map((line) => ({
    line,
    relation: lineRelation(line, ours, theirs),
    heads: [...after.heads(line)],
  }));
}

function actionOf({ fetched, published }: Exchange): SyncAnswer["action"] {
  if (fetched.size > 0) return published.length > 0 ? "exchanged" : "fetched";
  return published.length > 0 ? "published" : "none";
}

/** Notes how the sync ended, and what waits now. */
function conclude(place: ContinuityPlace, lastSync: LastSync | undefined): void {
  whilePositioned(place, (lock) => {
    const state = recallState(place);
    const noted = lastSync === undefined ? state : { ...state, lastSync };
    rememberState(place, withOffers(place, readStore(place.store), noted), lock);
  });
}

function answerOf(
  place: ContinuityPlace,
  facts: Pick<
    SyncAnswer,
    "action" | "outcome" | "fetched" | "published" | "restored" | "lines" | "diagnostics"
  > & {
    remote: string | undefined;
  },
): SyncAnswer {
  const { remote, diagnostics, ...rest } = facts;
  const store = readStore(place.store);
  const state = recallState(place);
  const offers = resumableHere(place, store, state).map(recordViewer(place));
  const known = new Set(diagnostics.map(({ code, subject }) => `${code} ${subject ?? ""}`));
  const more = diagnose(place, store).filter(({ code, subject }) => !known.has(`${code} ${subject ?? ""}`));
  const next = [
    ...(rest.outcome === "ok" ? [] : ["majordomus continuity sync"]),
    ...(offers.length > 0 ? ["majordomus continuity plan"] : []),
  ];
  return {
    ...(remote === undefined ? {} : { remote }),
    ...rest,
    store: statusOfStore(place, store, state),
    resumable: offers,
    diagnostics: [...diagnostics, ...more],
    ...(next.length === 0 ? {} : { next }),
  };
}

function restoredFindings(restored: readonly string[]): Diagnostic[] {
  if (restored.length === 0) return [];
  const message = `${restored.length} record(s) that were published here had been dropped from the store, and were put back`;
  return [diagnostic("warning", "continuity.restored", message)];
}

/** What a publication that was cut short has left is brought to its end before anybody is told of it. */
function completePublications(place: ContinuityPlace): string[] {
  if (listUnfinished(place).length === 0) return [];
  return whilePositioned(place, (lock) => settlePublications(place, lock));
}

function completedFindings(completed: readonly string[]): Diagnostic[] {
  if (completed.length === 0) return [];
  const message = `${completed.length} publication(s) that had been cut short here were completed`;
  return [diagnostic("info", "continuity.completed", message)];
}

/**
 * Exchanges records with one remote (records.md 14.15). The store only grows; no branch, index, work tree or
 * hook of the user's is touched; the whole takes no longer than the switch `sync.timeout_seconds`.
 *
 * @throws MajordomusError 2 where a person must name the remote, 10 where either side holds no store of ours,
 *   13 when it was cancelled before anything came.
 */
export async function syncStore(
  checkout: Checkout,
  request: { remote?: string | undefined },
  { signal, progress }: SyncOptions,
): Promise<SyncAnswer> {
  const begun = performance.now();
  const place = openContinuity(checkout);
  await judgeAhead(place.store);
  // A state that cannot be written afterwards is found out before.
  recallState(place);
  const remote = chooseRemote(place, request.remote);
  const restored = putBack(place);
  const completed = completePublications(place);
  const local = [...restoredFindings(restored), ...completedFindings(completed)];
  const base = { remote, fetched: 0, published: 0, restored: restored.length, lines: [] };
  if (remote === undefined) {
    conclude(place, undefined);
    const nothing = diagnostic("info", "continuity.no_remote", "this repository has no remote to sync with");
    return answerOf(place, {
      ...base,
      action: "no_remote",
      outcome: "ok",
      diagnostics: [...local, nothing],
    });
  }
  const seconds = checkout.settings.switches.sync.timeout_seconds;
  const talk = { deadline: begun + seconds * 1000, signal };
  const at = formatTimestamp(checkout.clock.now());
  const exchanged = await exchange(place, remote, talk, progress);
  if (!exchanged.ok) {
    const { reason } = exchanged.error;
    if (signal.aborted) {
      throw new MajordomusError({
        code: "cancelled",
        exit: EXIT.internal,
        message: "was cancelled; nothing was exchanged",
      });
    }
    conclude(place, { remote, at, outcome: "unreachable", detail: reason });
    return answerOf(place, {
      ...base,
      action: "unreachable",
      outcome: "unreachable",
      diagnostics: [...local, diagnostic("warning", "continuity.remote_unreachable", reason, remote)],
    });
  }
  const { value } = exchanged;
  const { refused } = value;
  const outcome = refused === undefined ? "ok" : "partial";
  try {
    conclude(place, { remote, at, outcome, ...(refused === undefined ? {} : { detail: refused }) });
  } catch (error) {
    throw new MajordomusError({
      code: "continuity.half_synced",
      exit: EXIT.internal,
      subject: remote,
      message: `${value.fetched.size} record(s) came and ${value.published.length} were sent, but this was not noted: ${reasonOf(error)}`,
      remedy: "sync again: nothing is doubled",
      cause: error,
    });
  }
  return answerOf(place, {
    ...base,
    action: actionOf(value),
    outcome,
    fetched: value.fetched.size,
    published: value.published.length,
    lines: relations(value.sides, new Lineage(readStore(place.store).records)),
    diagnostics: [
      ...local,
      ...value.diagnostics,
      ...(refused === undefined ? [] : [diagnostic("warning", "continuity.push_refused", refused, remote)]),
    ],
  });
}
