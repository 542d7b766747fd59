import { minutesBetween, parseTimestamp, spanText } from "../base/time.ts";
import type { Freshness } from "./terms.ts";

export interface FreshnessLabel {
  freshness: Freshness;
  /** Always there, one clause for a person. */
  reason: string;
  /** Whole minutes; absent where there is no age: no usable time, or one in the future. */
  ageMinutes?: number;
}

/** From the policy, in minutes; both count as reached when they are met exactly. */
export interface FreshnessThresholds {
  freshMinutes?: number;
  staleMinutes?: number;
}

/**
 * Judges the age of a record by its own timestamp (records.md 7.3). It says nothing about commits: a
 * record can be fresh and diverged, or stale and exact.
 *
 * @param now milliseconds since the epoch.
 */
export function labelFreshness(
  createdAt: string,
  now: number,
  thresholds: FreshnessThresholds,
): FreshnessLabel {
  if (createdAt === "") return { freshness: "unknown", reason: "no timestamp" };
  const created = parseTimestamp(createdAt);
  if (created === undefined) {
    return { freshness: "invalid", reason: "the timestamp is not a UTC time, YYYY-MM-DDTHH:MM:SSZ" };
  }
  const ageMinutes = minutesBetween(created, now);
  if (ageMinutes < 0) {
    return { freshness: "invalid", reason: `the timestamp is ${spanText(-ageMinutes)} in the future` };
  }
  const age = spanText(ageMinutes);
  const { freshMinutes, staleMinutes } = thresholds;
  if (freshMinutes === undefined || staleMinutes === undefined) {
    return { freshness: "unknown", reason: `${age} old; the policy declares no thresholds`, ageMinutes };
  }
  if (ageMinutes >= staleMinutes) {
    return { freshness: "stale", reason: `${age} old; stale from ${spanText(staleMinutes)}`, ageMinutes };
  }
  if (ageMinutes >= freshMinutes) {
    return { freshness: "aging", reason: `${age} old; fresh until ${spanText(freshMinutes)}`, ageMinutes };
  }
  return { freshness: "fresh", reason: `${age} old; fresh until ${spanText(freshMinutes)}`, ageMinutes };
}

/** Whether a record is shown as history: its next action is then not quoted as the thing to do. */
export function isHistory(freshness: Freshness): boolean {
  return freshness === "stale" || freshness === "invalid";
}
