import { minutesBetween, parseTimestamp, spanText } from "../../core/base/time.ts";

/** How long ago an instant was: `now`, `14m`, `3h`; `future` for one that lies ahead. */
export function ageSince(then: number, now: number): string {
  const minutes = minutesBetween(then, now);
  if (minutes < -1) return "future";
  return minutes < 1 ? "now" : spanText(minutes);
}

/** The age of a record's timestamp; empty when there is none that can be read. */
export function ageOf(timestamp: string | undefined, now: number): string {
  const then = timestamp === undefined ? undefined : parseTimestamp(timestamp);
  return then === undefined ? "" : ageSince(then, now);
}

/** A timestamp for a list: the time of day for one of the last twenty hours, else the date. */
export function clockText(timestamp: string, now: number): string {
  const then = parseTimestamp(timestamp);
  if (then === undefined) return timestamp.slice(0, 8);
  return Math.abs(now - then) < 20 * 3_600_000 ? timestamp.slice(11, 19) : timestamp.slice(2, 10);
}

/** The later of two timestamps that may be absent. Their form makes text order the order of time. */
export function later(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined) return other;
  return other !== undefined && other > one ? other : one;
}

/** A timestamp with how long ago that was; empty when there is none. */
export function withAge(timestamp: string | undefined, now: number): string {
  const age = ageOf(timestamp, now);
  return timestamp === undefined ? "" : `${timestamp}${age === "" ? "" : `  ${age}`}`;
}

const DAY = 86_400_000;

/** How many days ago a day was, for records that know no more than that: `today`, `3d`. */
export function daysSince(date: string, now: number): string {
  const then = parseTimestamp(`${date.slice(0, 10)}T00:00:00Z`);
  if (then === undefined) return "";
  const days = Math.floor(now / DAY) - Math.floor(then / DAY);
  return days === 0 ? "today" : days < 0 ? "future" : `${days}d`;
}
