import { isNamedFor, sessionToken } from "./autosave/session-token.ts";
import { quoteValue } from "./quote.ts";
import type { LoadedCapsule } from "./load.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** From exactly here on a capsule describes a world that is gone. */
export const STALE_AFTER = 7 * DAY;

/**
 * A capsule's age as a span: rounded hours, at least one, and from one day on rounded days. A stamp that lies a little
 * ahead of our clock is as young as can be, and says so.
 */
export function ageOf(created: number, now: number): string {
  const age = now - created;
  if (age < 0) return "under 1h old, by a clock that is ahead of this one";
  if (age < DAY) return `${Math.max(1, Math.round(age / HOUR))}h old`;
  return `${Math.round(age / DAY)}d old`;
}

export function isStale(created: number, now: number): boolean {
  return now - created >= STALE_AFTER;
}

/** What is said of a capsule's age, every time (capsules.md 5.2). */
export function ageLines(capsule: LoadedCapsule, now: number): string[] {
  const { created, createdRaw, updatedRaw } = capsule;
  const updated = updatedRaw === "" ? "" : `, last written ${quoteValue(updatedRaw, 80)}`;
  const age = `age: ${ageOf(created, now)} (written ${quoteValue(createdRaw, 80)}${updated})`;
  if (isStale(created, now)) {
    return [
      age,
      "STALE: the next action describes a world that is gone.",
      "STALE: take it for done, dropped or superseded until live state says otherwise.",
      "STALE: derive what to do anew; this is history, not a queue.",
    ];
  }
  return [
    age,
    "Fresh is not correct: check each value against live state.",
    "Expect part of the next action to be done already.",
  ];
}

/**
 * What is said of an autosave, which is no contract (capsules.md 5.3).
 *
 * @param cleared the sessions that were cleared just now: an autosave that none of them wrote is somebody else's.
 */
export function writerLines(
  { autosave, placeholder, name }: LoadedCapsule,
  cleared: readonly string[] = [],
): string[] {
  if (!autosave) return ["writer: curated, written on purpose by a session."];
  return [
    "writer: autosave, the Stop hook's own snapshot: evidence that a session stopped, checked against nothing.",
    "A current one marks as unknown what could not be determined, which is not the same as nothing pending;",
    "a legacy one has a fixed objective, no wait, and an action padded with cut-off prose.",
    "In both, derive the next action from live memory.",
    ...(cleared.length > 0 && !cleared.some((session) => isNamedFor(name, sessionToken(session)))
      ? ["It is of ANOTHER session than the one that was cleared, which may still be at work on it."]
      : []),
    ...(placeholder
      ? ["It captured neither a request nor a claim, and was chosen because nothing else could be."]
      : []),
  ];
}
