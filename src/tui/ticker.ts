import type { Clock } from "../core/base/clock.ts";
import { ageOf, ageSince } from "./model/age.ts";
import type { ConsoleState, Store } from "./store.ts";

/**
 * A frame costs more than a thousand comparisons: the clock moves only when some age would read otherwise.
 * Where many episodes are young that is at nearly every look, so that there are not too many of these.
 */
const TICK_MILLISECONDS = 30_000;

function* timestampsOf(state: ConsoleState): Generator<string | undefined> {
  for (const root of state.roots) {
    const slices = state.repositories[root];
    for (const episode of slices?.episodes.data?.episodes ?? []) {
      yield episode.started_at;
      yield episode.last_activity;
      yield episode.heartbeat;
    }
    for (const closed of state.showClosed ? (slices?.closed.data?.newest ?? []) : []) yield closed.created_at;
    yield slices?.state.data?.handover?.created_at;
    yield slices?.checkpoint.data?.checkpoint?.created_at;
    yield slices?.selection.data?.capsule?.created;
    yield slices?.sync.data?.last_sync?.at;
    for (const record of slices?.travelling.data?.records ?? []) yield record.published_at;
    for (const provider of slices?.providers.data?.providers ?? []) {
      yield* Object.values(provider.last_received ?? {});
    }
  }
}

/** Whether the text of any age would change if it were drawn at `now`. */
export function agesChange(state: ConsoleState, now: number): boolean {
  const verified = Math.min(state.verified, state.now);
  if (ageSince(state.verified, now) !== ageSince(verified, state.now)) return true;
  for (const timestamp of timestampsOf(state)) {
    if (ageOf(timestamp, now) !== ageOf(timestamp, state.now)) return true;
  }
  return false;
}

/** Lets time pass on the screen. */
export function startTicker(store: Store, clock: Clock): () => void {
  const timer = setInterval(() => {
    const now = clock.now();
    if (agesChange(store.getState(), now)) store.setState({ now });
  }, TICK_MILLISECONDS);
  timer.unref();
  return () => clearInterval(timer);
}
