const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_SLOTS = 256;
const FIRST_BYTES = 4096;

/** Where a name's bytes stand in the arena, and which name they spell. */
interface Spelling {
  start: number;
  length: number;
  hash: number;
  name: number;
}

interface View {
  buffer: Buffer;
  view: DataView;
}

/** Scans read a million lines out of one buffer. */
let last: View = { buffer: Buffer.alloc(0), view: new DataView(new ArrayBuffer(0)) };

/** A view over the very bytes of a buffer, for reading four of them at once. */
export function viewOf(buffer: Buffer): DataView {
  if (last.buffer === buffer) return last.view;
  last = { buffer, view: new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength) };
  return last.view;
}

/**
 * Gives each distinct text a number, from 0 in the order of their first appearance, so that a million lines
 * that name the same few episodes, tasks and events make no string but the first of each. Numbers are only
 * ever added: what was counted with a table stays right while others go on with it.
 *
 * Two spellings of one text (bytes that are no UTF-8, escapes) are one name, as they are one string.
 */
export class NameTable {
  /** Where the string ended that `read` has read: the place of its closing quote. */
  end = 0;
  private readonly texts: string[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly spellings: Spelling[] = [];
  /** Numbers of spellings plus one, by hash, each in the first free slot; 0 is free. */
  private slots = new Int32Array(FIRST_SLOTS);
  private arena = Buffer.alloc(FIRST_BYTES);
  private arenaView = viewOf(this.arena);
  private filled = 0;
  private lastLength = 0;

  /** The texts of all names, by their numbers. */
  get all(): readonly string[] {
    return this.texts;
  }

  /** The text of a name. */
  text(name: number): string {
    return this.texts[name] ?? "";
  }

  /**
   * The name whose plain text begins at `start` and ends with a quote before `limit`.
   *
   * @returns -1 where the string has an escape or no end.
   */
  read(buffer: Buffer, start: number, limit: number): number {
    const view = viewOf(buffer);
    // Ids are all of one length: bytes that are known to be a name need no look for the quote among them.
    const guess = start + this.lastLength;
    if (guess < limit && buffer[guess] === QUOTE) {
      const known = this.spelt(view, start, this.lastLength, hashOf(view, start, this.lastLength));
      if (known >= 0) {
        this.end = guess;
        return known;
      }
    }
    let end = start;
    while (end < limit && buffer[end] !== QUOTE && buffer[end] !== BACKSLASH) end += 1;
    if (end >= limit || buffer[end] === BACKSLASH) return -1;
    this.end = end;
    this.lastLength = end - start;
    return this.nameOfBytes(buffer, start, end);
  }

  /** The name of a text; a new one where it has none. */
  nameOf(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    const name = this.texts.push(text) - 1;
    this.numbers.set(text, name);
    return name;
  }

  /** The name of a text that has one already. */
  find(text: string): number | undefined {
    return this.numbers.get(text);
  }

  /** The name of the plain text `[start, end)`, which has neither quote nor backslash in it. */
  nameOfBytes(buffer: Buffer, start: number, end: number): number {
    const view = viewOf(buffer);
    const hash = hashOf(view, start, end - start);
    const known = this.spelt(view, start, end - start, hash);
    if (known >= 0) return known;
    const name = this.nameOf(buffer.toString("utf8", start, end));
    this.remember(buffer, start, end, hash, name);
    return name;
  }

  /** The name that these bytes spell, or -1. */
  private spelt(view: DataView, start: number, length: number, hash: number): number {
    const { slots, spellings } = this;
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const spelling = spellings[(slots[slot] ?? 0) - 1];
      if (spelling === undefined) return -1;
      const same = spelling.hash === hash && spelling.length === length;
      if (same && sameBytes(view, start, this.arenaView, spelling.start, length)) return spelling.name;
    }
  }

  private remember(buffer: Buffer, start: number, end: number, hash: number, name: number): void {
    const length = end - start;
    if (this.filled + length > this.arena.length) {
      this.arena = Buffer.concat([this.arena], Math.max(this.arena.length * 2, this.filled + length));
      this.arenaView = viewOf(this.arena);
    }
    buffer.copy(this.arena, this.filled, start, end);
    const number = this.spellings.push({ start: this.filled, length, hash, name });
    this.filled += length;
    if (number * 2 > this.slots.length) this.spread();
    else place(this.slots, hash, number);
  }

  private spread(): void {
    this.slots = new Int32Array(this.slots.length * 2);
    for (const [index, { hash }] of this.spellings.entries()) place(this.slots, hash, index + 1);
  }
}

function place(slots: Int32Array, hash: number, number: number): void {
  const mask = slots.length - 1;
  let slot = hash & mask;
  while (slots[slot] !== 0) slot = (slot + 1) & mask;
  slots[slot] = number;
}

function hashOf(view: DataView, start: number, length: number): number {
  const end = start + length;
  let hash = length;
  let index = start;
  for (; index + 4 <= end; index += 4) {
    hash = Math.imul(hash ^ view.getInt32(index, true), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  for (; index < end; index += 1) hash = Math.imul(hash ^ view.getUint8(index), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}

function sameBytes(
  view: DataView,
  start: number,
  otherView: DataView,
  otherStart: number,
  length: number,
): boolean {
  let index = 0;
  for (; index + 4 <= length; index += 4) {
    if (view.getInt32(start + index, true) !== otherView.getInt32(otherStart + index, true)) return false;
  }
  for (; index < length; index += 1) {
    if (view.getUint8(start + index) !== otherView.getUint8(otherStart + index)) return false;
  }
  return true;
}
