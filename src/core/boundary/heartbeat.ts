import type { Site } from "../checkout/checkout.ts";
import { endedNames, heartbeat, isRegistered } from "../journal/registration-file.ts";
import { spoolIsEmpty } from "../journal/spool-file.ts";
import type { LifecycleEvent } from "./event.ts";

/** Events that say no more than that the worker lives. */
const SIGNS_OF_LIFE: ReadonlySet<LifecycleEvent["kind"]> = new Set(["prompt", "stop", "compact"]);

/** What a light event still needs beyond its receipt. */
export type LightOutcome =
  /** Everything that there is to do was done. */
  | "settled"
  /** Nothing is to be done for this event. */
  | "receipt_only"
  /** An episode must be opened, or something waits in the spool: the whole checkout is needed. */
  | "needs_checkout";

/**
 * Handles an event with file facts alone: no settings, no git, no lock. This is the path of the hooks that
 * fire hundreds of times a day.
 */
export function settleLight(site: Site, event: LifecycleEvent): LightOutcome {
  // Identity has no fall-back, and a sub-agent lives and dies inside its parent's episode (decisions.md 1.1, 1.8).
  if (event.withoutSession !== undefined) return "needs_checkout";
  if (event.subagent || event.session === undefined) return "receipt_only";
  if (!SIGNS_OF_LIFE.has(event.kind)) {
    return event.kind === "start" || event.kind === "end" ? "needs_checkout" : "receipt_only";
  }
  const alive = heartbeat(site.common, event.provider, event.session, site.clock.now());
  if (alive) return spoolIsEmpty(site.common) && event.kind !== "compact" ? "settled" : "needs_checkout";
  if (event.kind === "prompt") return "needs_checkout";
  return isNew(site, event.provider, event.session) ? "needs_checkout" : "receipt_only";
}

/** Stop and compaction open an episode only for a session that was never seen here (decisions.md 1.1). */
function isNew(site: Site, provider: string, rawId: string): boolean {
  return !isRegistered(site.common, provider, rawId) && endedNames(site.common, provider, rawId).length === 0;
}
