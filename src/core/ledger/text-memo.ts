const SLOTS = 4096;
const LONGEST = 48;

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
    let hash = length;
    for (let index = start; index < end; index += 1) {
      hash = (Math.imul(hash, 31) + (buffer[index] ?? 0)) | 0;
    }
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
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
