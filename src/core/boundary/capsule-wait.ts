import { autosaveLock, sessionToken } from "../capsule/autosave/session-token.ts";
import { ensureRuntime } from "../capsule/memory-tree.ts";
import type { MemoryTree } from "../capsule/memory-tree.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { withPatientLock } from "../fs/patient-lock.ts";
import { readJournalTail } from "../journal/event-journal.ts";
import type { JournalEntry } from "../journal/event-journal.ts";
import type { LifecycleEvent } from "./event.ts";

/** An end and a start of one clear come within this time, in milliseconds. */
const TOGETHER = 10_000;

/** The sessions of this provider that a clear ended just now, newest first. */
export function justCleared(
  entries: readonly JournalEntry[],
  event: Pick<LifecycleEvent, "provider" | "session">,
  now: number,
): string[] {
  const sessions = entries
    .filter(
      (entry) =>
        entry.provider === event.provider &&
        entry.phase === "received" &&
        entry.reason === "clear" &&
        entry.session !== event.session &&
        Math.abs(now - Date.parse(entry.ts)) <= TOGETHER,
    )
    .map(({ session }) => session)
    .filter((session) => session !== undefined);
  return [...new Set(sessions)].toReversed();
}

/**
 * Waits, within this hook's patience, until the autosave of the session that this clear ended is written: what it
 * captured last belongs into the capsule that is about to be resumed (decisions.md 1.12).
 *
 * @returns the sessions that were cleared just now, the newest first.
 */
export function awaitAutosave(checkout: Checkout, tree: MemoryTree, event: LifecycleEvent): string[] {
  let cleared: string[] = [];
  try {
    cleared = justCleared(readJournalTail(checkout), event, checkout.clock.now());
    const [session] = cleared;
    if (session === undefined) return cleared;
    ensureRuntime(tree);
    withPatientLock(autosaveLock(tree, sessionToken(session)), checkout.patience, () => undefined);
  } catch {
    // It is taken as it stands now: what comes later opens a capsule of its own.
  }
  return cleared;
}
