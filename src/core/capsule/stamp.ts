/** ISO 8601 with a zone, or a date alone. */
const STAMP =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9})\d*)?)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?))?$/;

const DAY = 86_400_000;

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Midnight UTC of a date that exists; undefined for 30 February. */
function midnight(yearText: string, monthText: string, dayText: string): number | undefined {
  const year = Number(yearText);
  const month = Number(monthText);
  const day = Number(dayText);
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const last = month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0);
  if (day < 1 || day > last) return undefined;
  // The years before 100 mean themselves only when they are set by name.
  return year < 100
    ? Date.parse(`${yearText}-${monthText}-${dayText}T00:00:00.000Z`)
    : Date.UTC(year, month - 1, day);
}

/**
 * Reads when a capsule says it was created (decisions.md 6): ISO 8601 with `Z` or an offset, or a date alone,
 * which is midnight UTC. Local times, and everything else that `Date.parse` guesses at, are no stamps.
 *
 * @returns milliseconds since the epoch, or undefined.
 */
export function parseStamp(text: string): number | undefined {
  const match = STAMP.exec(text);
  if (match === null) return undefined;
  const { 1: year = "", 2: month = "", 3: day = "", 4: hour, 5: minute } = match;
  const date = midnight(year, month, day);
  if (date === undefined || hour === undefined || minute === undefined) return date;
  const { 6: second = "0", 7: fraction = "0", 8: sign, 9: ahead = "0", 10: aheadMinutes = "0" } = match;
  const hours = Number(hour);
  const minutes = Number(minute);
  const seconds = Number(second);
  const offsetHours = Number(ahead);
  const offsetMinutes = Number(aheadMinutes);
  const milliseconds = Math.floor(Number(`0.${fraction}`) * 1000);
  // The end of a day may be written as hour 24.
  const endOfDay = hours === 24 && minutes === 0 && seconds === 0 && milliseconds === 0;
  if ((hours > 23 && !endOfDay) || minutes > 59 || seconds > 60) return undefined;
  if (offsetHours > 23 || offsetMinutes > 59) return undefined;
  const offset = (offsetHours * 60 + offsetMinutes) * 60_000 * (sign === "-" ? -1 : 1);
  const whole = date + (hours * 60 + minutes) * 60_000 + seconds * 1000 - offset;
  // A leap second ends a UTC day; anywhere else there is no second 60.
  if (seconds === 60 && whole % DAY !== 0) return undefined;
  return whole + milliseconds;
}
