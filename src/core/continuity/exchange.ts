import type { Result } from "../base/result.ts";
import { failed, ok } from "../base/result.ts";
import { MERGED } from "./admission-codes.ts";
import { diagnostic } from "./diagnostic.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { ContinuityPlace } from "./place.ts";
import { askRemote, fetchRemote, pushStore, timeLeft } from "./remote-store.ts";
import type { RemoteAnswer, Talk } from "./remote-store.ts";
import { readTip } from "./store-files.ts";
import { judgeAhead, readStore, readStoreAt, storeFindings, trackingReference } from "./store.ts";
import type { Store } from "./store.ts";
import { jitter, mergeRemote } from "./write-store.ts";

/** Stores before they were united, for what is said of each line. */
export interface Sides {
  local: Store;
  remote: Store;
}

/** What an exchange with a remote came to. */
export interface Exchange {
  /** The first look, before anything was united. */
  sides: Sides;
  /** Ids that came, and ids that were sent, of admitted records. */
  fetched: ReadonlySet<string>;
  published: readonly string[];
  diagnostics: Diagnostic[];
  /** Why not everything was sent; undefined where it was. */
  refused: string | undefined;
}

/** What one went by: the remote could not be asked at all. */
export interface Unreachable {
  reason: string;
}

const SHORTEST_WAIT = 100;
const LONGEST_WAIT = 1_500;
/** Less is not worth another round. */
const ROUND_MILLISECONDS = 1_000;

function wait(place: ContinuityPlace, round: number): Promise<void> {
  const most = Math.min(LONGEST_WAIT, SHORTEST_WAIT * 2 ** round);
  return new Promise((resolve) => {
    setTimeout(resolve, jitter(place, most));
  });
}

/** What the remote has, fetched where that is not known already; undefined where it has nothing. */
async function fetchKnown(
  place: ContinuityPlace,
  remote: string,
  talk: Talk,
): Promise<RemoteAnswer<string | undefined>> {
  const asked = await askRemote(place, remote, talk);
  if (!asked.ok || asked.value === undefined) return asked;
  const known = readTip(place.store.repository, trackingReference(remote));
  return known === asked.value ? { ok: true, value: known } : fetchRemote(place, remote, talk);
}

/**
 * Fetches what the remote has; an empty store where it has nothing.
 *
 * @param moved somebody has just moved its reference: there is something to fetch, and no need to ask first.
 */
async function look(
  place: ContinuityPlace,
  remote: string,
  talk: Talk,
  moved: boolean,
): Promise<RemoteAnswer<Store>> {
  const reference = trackingReference(remote);
  const fetched = await (moved ? fetchRemote : fetchKnown)(place, remote, talk);
  if (!fetched.ok) return fetched;
  await judgeAhead(place.store, reference);
  return { ok: true, value: readStoreAt(place.store, fetched.value, reference) };
}

/** Records that the remote had at the last look and has no more: something else moved or deleted its reference. */
function lostByRemote(before: Store, now: Store, remote: string): Diagnostic[] {
  const lost = [...before.records.keys()].filter((id) => !now.records.has(id)).length;
  if (lost === 0) return [];
  const message = `${remote} has lost ${lost} record(s) that it had; what is here is sent again`;
  return [diagnostic("warning", "continuity.remote_lost", message, remote)];
}

function without(records: Store["records"], others: Store["records"]): string[] {
  return [...records.keys()].filter((id) => !others.has(id));
}

/** The remote's last known store; empty where it cannot be read any more. */
function lastKnown(place: ContinuityPlace, remote: string): Store {
  const reference = trackingReference(remote);
  try {
    return readStoreAt(place.store, readTip(place.store.repository, reference), reference);
  } catch {
    return readStoreAt(place.store, undefined, reference);
  }
}

function unite(place: ContinuityPlace, theirs: Store): Diagnostic[] {
  const excluded = new Set(theirs.refused.filter(({ code }) => !MERGED[code]).map(({ path }) => path));
  const { collisions } = mergeRemote(place, theirs, excluded);
  return collisions.map((path) =>
    diagnostic("error", "continuity.collision", "has other bytes at the remote; ours stand", path),
  );
}

function withoutDoubles(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...new Map(diagnostics.map((found) => [`${found.code} ${found.subject ?? ""}`, found])).values()];
}

/**
 * Unites the store with a remote's and sends what that lacks (records.md 14.15): never by force, and again
 * with a random pause where others were faster, until the talk's time is up. What was united stays so,
 * whatever becomes of the sending.
 */
export async function exchange(
  place: ContinuityPlace,
  remote: string,
  talk: Talk,
  progress: (what: string) => void,
): Promise<Result<Exchange, Unreachable>> {
  const before = lastKnown(place, remote);
  const fetched = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  let sides: Sides | undefined;
  let refused = "";
  let moved = false;
  for (let round = 0; ; round += 1) {
    const left = timeLeft(talk);
    // On a slow machine a round takes long: one that could not come to its end is not begun.
    const mayGoOn = (): boolean =>
      !talk.signal.aborted && timeLeft(talk) > Math.max(ROUND_MILLISECONDS, left - timeLeft(talk));
    progress(round === 0 ? `asking ${remote}` : `asking ${remote} again`);
    const looked = await look(place, remote, talk, moved);
    moved = false;
    if (!looked.ok) {
      if (looked.contended && mayGoOn()) {
        await wait(place, round);
        continue;
      }
      if (sides === undefined) return failed({ reason: looked.reason });
      return ok({ sides, fetched, published: [], diagnostics, refused: refused || looked.reason });
    }
    const theirs = looked.value;
    const local = readStore(place.store);
    if (sides === undefined) {
      sides = { local, remote: theirs };
      diagnostics.push(...lostByRemote(before, theirs, remote));
    }
    for (const id of without(theirs.records, local.records)) fetched.add(id);
    progress(`uniting ${theirs.records.size} record(s) with ${local.records.size}`);
    diagnostics.push(...storeFindings(theirs), ...unite(place, theirs));
    const united = readStore(place.store);
    const published = without(united.records, theirs.records);
    const found = { sides, fetched, diagnostics: withoutDoubles(diagnostics) };
    if (published.length === 0 || united.tip === undefined)
      return ok({ ...found, published: [], refused: undefined });
    progress(`sending ${published.length} record(s)`);
    const pushed = await pushStore(place, remote, united.tip, talk);
    if (pushed.ok) return ok({ ...found, published, refused: undefined });
    refused = pushed.reason;
    const again = round === 0 || pushed.contended;
    if (!again || !mayGoOn()) return ok({ ...found, published: [], refused });
    moved = pushed.contended;
    await wait(place, round);
  }
}
