import { parseTimestamp } from "../../core/base/time.ts";
import type { HistoryAnswer } from "../../core/ledger/answers.ts";
import { BARS, GLYPH } from "../glyphs.ts";

const HOUR = 3_600_000;
const HOURS = 24;

/** How much happened in each of the last 24 hours, oldest first. */
export function hourlyCounts(timestamps: readonly string[], now: number): number[] {
  const counts = Array.from({ length: HOURS }, () => 0);
  for (const timestamp of timestamps) {
    const then = parseTimestamp(timestamp);
    if (then === undefined || then > now) continue;
    const hour = HOURS - 1 - Math.floor((now - then) / HOUR);
    if (hour >= 0) counts[hour] = (counts[hour] ?? 0) + 1;
  }
  return counts;
}

/**
 * Counts as bars: a dot for nothing, the full bar for the busiest hour, a blank for an hour of which nobody
 * knows.
 *
 * @param unread hours at the beginning that were not read
 */
export function barsOf(counts: readonly number[], unread = 0): string {
  const most = Math.max(1, ...counts);
  return counts
    .map((count, hour) => {
      if (count === 0) return hour < unread ? " " : GLYPH.dot;
      return BARS[Math.ceil((count / most) * BARS.length) - 1] ?? GLYPH.dot;
    })
    .join("");
}

/** Of the last 24 hours, how many lie before the oldest line of an answer that was cut. */
export function unreadHours(history: HistoryAnswer | undefined, now: number): number {
  const oldest = history?.lines[0]?.ts;
  const then = oldest === undefined ? undefined : parseTimestamp(oldest);
  if (history === undefined || then === undefined || history.cut === 0) return 0;
  return Math.max(0, HOURS - 1 - Math.floor((now - then) / HOUR));
}

const indexed = new WeakMap<HistoryAnswer, Map<string, string[]>>();

/** The timestamps of an answer's lines by their episode; worked out once for each answer. */
function bySession(history: HistoryAnswer): Map<string, string[]> {
  const known = indexed.get(history);
  if (known !== undefined) return known;
  const index = new Map<string, string[]>();
  for (const { session, ts } of history.lines) {
    if (session === undefined) continue;
    const own = index.get(session);
    if (own === undefined) index.set(session, [ts]);
    else own.push(ts);
  }
  indexed.set(history, index);
  return index;
}

/** The last 24 hours of an episode: its ledger lines, and its heartbeat where no line stands. */
export function timelineOf(
  history: HistoryAnswer | undefined,
  session: string,
  signs: readonly (string | undefined)[],
  now: number,
): string {
  const own = history === undefined ? [] : (bySession(history).get(session) ?? []);
  const counts = hourlyCounts([...own, ...signs.filter((sign) => sign !== undefined)], now);
  return barsOf(counts, unreadHours(history, now));
}
