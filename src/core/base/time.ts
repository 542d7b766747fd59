function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

/**
 * Formats an instant as the record format's UTC timestamp, `YYYY-MM-DDTHH:MM:SSZ` (whole seconds).
 *
 * @throws RangeError for what is no instant
 */
export function formatTimestamp(milliseconds: number): string {
  const date = new Date(milliseconds);
  const year = date.getUTCFullYear();
  // The first `toISOString` of a process reads the machine's time zone, which no UTC time needs.
  if (!(year >= 1000 && year <= 9999)) return `${date.toISOString().slice(0, 19)}Z`;
  const day = `${year}-${twoDigits(date.getUTCMonth() + 1)}-${twoDigits(date.getUTCDate())}`;
  const hours = twoDigits(date.getUTCHours());
  return `${day}T${hours}:${twoDigits(date.getUTCMinutes())}:${twoDigits(date.getUTCSeconds())}Z`;
}

/** Formats an instant as used in file names: `YYYYMMDDTHHMMSSZ`. */
export function compactTimestamp(milliseconds: number): string {
  return formatTimestamp(milliseconds).replaceAll(/[-:]/g, "");
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
/** A date that every month has, at a time that every day has: it exists, and need not be written back to tell. */
const ORDINARY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/**
 * Reads a record timestamp. Only the exact 20-character form of a date that exists is accepted:
 * `Date.parse` alone would take 30 February and offset-less local times.
 *
 * @returns milliseconds since the epoch, or undefined.
 */
export function parseTimestamp(text: string): number | undefined {
  if (ORDINARY.test(text)) return Date.parse(text);
  if (!TIMESTAMP.test(text)) return undefined;
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds) || formatTimestamp(milliseconds) !== text) return undefined;
  return milliseconds;
}

const UNIT_SECONDS = { s: 1, m: 60, h: 3600 } as const;

/** Reads a policy duration (`90s`, `15m`, `12h`) as milliseconds, or undefined when it is not one. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})([smh])$/.exec(text);
  if (!match) return undefined;
  return Number(match[1]) * UNIT_SECONDS[match[2] as keyof typeof UNIT_SECONDS] * 1000;
}

/** Whole minutes from `then` to `now`, rounded down; negative when `then` lies ahead. */
export function minutesBetween(then: number, now: number): number {
  return Math.floor((now - then) / 60_000);
}

/** An age as a span: `18m`, `25h`, `6d` (records.md 7.3). */
export function spanText(minutes: number): string {
  if (minutes < 90) return `${minutes}m`;
  if (minutes < 2880) return `${Math.floor(minutes / 60)}h`;
  return `${Math.floor(minutes / 1440)}d`;
}

/** An age for people: `18m ago`; `unknown` when there is none. The one place that words an age. */
export function ageText(minutes: number | undefined): string {
  return minutes === undefined ? "unknown" : `${spanText(minutes)} ago`;
}
