const FORM = Buffer.from("0000-00-00T00:00:00Z");
const ZERO = 0x30;
const NINE = 0x39;

/**
 * Reads the bytes of a `YYYY-MM-DDTHH:MM:SSZ` as one number of fourteen digits, which orders like the time,
 * without making a string for each of a million lines.
 *
 * @returns -1 for any other form.
 */
export function readStamp(buffer: Buffer, start: number, end: number): number {
  if (end - start !== FORM.length) return -1;
  let stamp = 0;
  for (let index = 0; index < FORM.length; index += 1) {
    const byte = buffer[start + index] ?? 0;
    if (FORM[index] === ZERO) {
      if (byte < ZERO || byte > NINE) return -1;
      stamp = stamp * 10 + byte - ZERO;
    } else if (byte !== FORM[index]) return -1;
  }
  return stamp;
}

/** The timestamp that a stamp was read from. */
export function stampText(stamp: number): string {
  const digits = String(stamp).padStart(14, "0");
  return digits.replace(/^(....)(..)(..)(..)(..)(..)$/, "$1-$2-$3T$4:$5:$6Z");
}
