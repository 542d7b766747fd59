const SLOTS = 4096;
const LONGEST = 48;

/** Ids differ in their last characters, names in these and in their length: that is spread enough. */
function slotFor(buffer: Buffer, start: number, end: number): number {
  if (end - start < 8) return end - start;
  const tail =
    ((buffer[end - 1] ?? 0) << 18) ^
    ((buffer[end - 2] ?? 0) << 12) ^
    ((buffer[end - 3] ?? 0) << 6) ^
    (buffer[end - 4] ?? 0) ^
    ((buffer[end - 6] ?? 0) << 9) ^
    ((buffer[end - 7] ?? 0) << 15);
  return (Math.imul(tail ^ (end - start), 0x9e3779b1) >>> 20) & (SLOTS - 1);
}

/**
 * Gives short texts out of a buffer, the same string for the same bytes while it remembers them: a ledger
 * names the same few events, episodes and seconds a million times, and making a string costs more than
 * finding it.
 */
export class TextMemo {
  private readonly texts: (string | undefined)[] = Array.from({ length: SLOTS });
  private readonly lengths = new Uint8Array(SLOTS);
  private readonly bytes = new Uint8Array(SLOTS * LONGEST);

  /** The bytes `[start, end)` as UTF-8 text. */
  text(buffer: Buffer, start: number, end: number): string {
    const length = end - start;
    if (length > LONGEST) return buffer.toString("utf8", start, end);
    const slot = slotFor(buffer, start, end);
    const known = this.texts[slot];
    if (known !== undefined && this.lengths[slot] === length && this.holds(slot, buffer, start, length)) {
      return known;
    }
    return this.remember(slot, buffer, start, length);
  }

  private holds(slot: number, buffer: Buffer, start: number, length: number): boolean {
    const base = slot * LONGEST;
    for (let index = 0; index < length; index += 1) {
      if (this.bytes[base + index] !== buffer[start + index]) return false;
    }
    return true;
  }

  private remember(slot: number, buffer: Buffer, start: number, length: number): string {
    const text = buffer.toString("utf8", start, start + length);
    for (let index = 0; index < length; index += 1) {
      this.bytes[slot * LONGEST + index] = buffer[start + index] ?? 0;
    }
    this.lengths[slot] = length;
    this.texts[slot] = text;
    return text;
  }
}
