/**
 * The grammar of one ledger line, over bytes. It is JSON with two liberties that real ledgers need: raw
 * control characters inside strings, and the same key more than once (records.md 4). One scanner serves
 * the parser and the reading of a million lines, so that both call the same lines malformed.
 */

export type ValueKind = "text" | "escaped" | "scalar" | "nested";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Deeper nesting than any writer makes is refused before it can exhaust the stack. */
const MAXIMUM_DEPTH = 64;

/**
 * Walks the members of an object, or the elements of an array, without copying anything: after `next()`
 * the spans of the key and the value stand in the fields, those of strings without their quotes. One
 * cursor is reused for many lines.
 */
export class MemberCursor {
  buffer: Buffer = Buffer.alloc(0);
  keyStart = 0;
  keyEnd = 0;
  keyEscaped = false;
  valueStart = 0;
  valueEnd = 0;
  kind: ValueKind = "scalar";
  /** True after the last member, when the object ended exactly where it should. */
  complete = false;
  private position = -1;
  private end = 0;
  private closing = CLOSE_BRACE;
  private first = true;
  private escaped = false;

  /** Aims the cursor at the object or array that fills `[start, end)`. */
  aim(buffer: Buffer, start: number, end: number): this {
    const opening = start < end ? buffer[start] : undefined;
    this.buffer = buffer;
    this.end = end;
    this.first = true;
    this.complete = false;
    this.closing = opening === OPEN_BRACKET ? CLOSE_BRACKET : CLOSE_BRACE;
    this.position = opening === OPEN_BRACE || opening === OPEN_BRACKET ? start + 1 : -1;
    return this;
  }

  /** Aims the cursor at the rest of an object of which everything before `from`, the end of a value, was read. */
  resume(buffer: Buffer, from: number, end: number): this {
    this.buffer = buffer;
    this.end = end;
    this.first = false;
    this.complete = false;
    this.closing = CLOSE_BRACE;
    this.position = from;
    return this;
  }

  /** Moves to the next member; false after the last one, or at the first byte that is not of the grammar. */
  next(): boolean {
    if (this.position < 0) return false;
    if (this.nextPlain()) return true;
    const byte = this.peek();
    if (byte === this.closing) {
      this.complete = this.position === this.end - 1;
      return this.stop();
    }
    if (!this.first) {
      if (byte !== COMMA) return this.stop();
      this.position += 1;
    }
    this.first = false;
    return (this.closing === CLOSE_BRACKET || this.readKey()) && this.readValue();
  }

  /**
   * The member `,"key":"value"` without blanks and escapes, which nearly all are, in one go. Changes nothing
   * where the next member is another one.
   */
  private nextPlain(): boolean {
    const { buffer, end } = this;
    const keyStart = this.position + (this.first ? 1 : 2);
    if (buffer[keyStart - 1] !== QUOTE || (!this.first && buffer[keyStart - 2] !== COMMA)) return false;
    const keyEnd = skipPlain(buffer, keyStart, end);
    if (buffer[keyEnd] !== QUOTE || buffer[keyEnd + 1] !== COLON || buffer[keyEnd + 2] !== QUOTE)
      return false;
    const valueEnd = skipPlain(buffer, keyEnd + 3, end);
    if (valueEnd >= end || buffer[valueEnd] !== QUOTE || this.closing === CLOSE_BRACKET) return false;
    this.keyStart = keyStart;
    this.keyEnd = keyEnd;
    this.keyEscaped = false;
    this.valueStart = keyEnd + 3;
    this.valueEnd = valueEnd;
    this.kind = "text";
    this.first = false;
    this.position = valueEnd + 1;
    return true;
  }

  private stop(): boolean {
    this.position = -1;
    return false;
  }

  /** The next byte that is not blank, or -1 at the end. */
  private peek(): number {
    this.position = skipBlanks(this.buffer, this.position, this.end);
    return this.position < this.end ? (this.buffer[this.position] ?? -1) : -1;
  }

  private readKey(): boolean {
    if (this.peek() !== QUOTE) return this.stop();
    this.keyStart = this.position + 1;
    this.position = this.skipString(this.keyStart);
    if (this.position < 0) return false;
    this.keyEnd = this.position - 1;
    this.keyEscaped = this.escaped;
    if (this.peek() !== COLON) return this.stop();
    this.position += 1;
    return true;
  }

  private readValue(): boolean {
    const opening = this.peek();
    const start = this.position;
    this.position = this.skipValue(start, 0);
    if (this.position < 0) return false;
    const quoted = opening === QUOTE;
    this.valueStart = quoted ? start + 1 : start;
    this.valueEnd = quoted ? this.position - 1 : this.position;
    if (quoted) this.kind = this.escaped ? "escaped" : "text";
    else this.kind = opening === OPEN_BRACE || opening === OPEN_BRACKET ? "nested" : "scalar";
    return true;
  }

  /** @returns the index after the closing quote, or -1. */
  private skipString(from: number): number {
    const { buffer, end } = this;
    this.escaped = false;
    for (let index = from; index < end; index += 1) {
      const byte = buffer[index];
      if (byte === QUOTE) return index + 1;
      if (byte === BACKSLASH) {
        this.escaped = true;
        index += 1;
      }
    }
    return -1;
  }

  /** @returns the index after the value that begins at `from`, or -1. */
  private skipValue(from: number, depth: number): number {
    if (from >= this.end || depth > MAXIMUM_DEPTH) return -1;
    const opening = this.buffer[from];
    if (opening === QUOTE) return this.skipString(from + 1);
    if (opening === OPEN_BRACE) return this.skipNested(from + 1, CLOSE_BRACE, depth + 1);
    if (opening === OPEN_BRACKET) return this.skipNested(from + 1, CLOSE_BRACKET, depth + 1);
    return skipBareWord(this.buffer, from, this.end);
  }

  private skipNested(from: number, closing: number, depth: number): number {
    const { buffer, end } = this;
    let index = skipBlanks(buffer, from, end);
    if (index < end && buffer[index] === closing) return index + 1;
    while (index >= 0 && index < end) {
      if (closing === CLOSE_BRACE) index = this.skipKey(index);
      index = index < 0 ? -1 : this.skipValue(index, depth);
      if (index < 0) return -1;
      index = skipBlanks(buffer, index, end);
      if (index < end && buffer[index] === closing) return index + 1;
      if (index >= end || buffer[index] !== COMMA) return -1;
      index = skipBlanks(buffer, index + 1, end);
    }
    return -1;
  }

  /** @returns the index of the value that follows the key and its colon, or -1. */
  private skipKey(from: number): number {
    if (this.buffer[from] !== QUOTE) return -1;
    const after = this.skipString(from + 1);
    if (after < 0) return -1;
    const colon = skipBlanks(this.buffer, after, this.end);
    if (colon >= this.end || this.buffer[colon] !== COLON) return -1;
    return skipBlanks(this.buffer, colon + 1, this.end);
  }
}

/** The index of the first quote or backslash from `from` on, or `end` (or more). */
function skipPlain(buffer: Buffer, from: number, end: number): number {
  let index = from;
  while (index < end) {
    const byte = buffer[index];
    if (byte === QUOTE || byte === BACKSLASH) break;
    index += 1;
  }
  return index;
}

function skipBlanks(buffer: Buffer, from: number, end: number): number {
  let index = from;
  while (index < end && isBlank(buffer[index])) index += 1;
  return index;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a;
}

const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const WORDS: ReadonlySet<string> = new Set(["true", "false", "null"]);

/** @returns the index after the number or word that begins at `from`, or -1 where there is neither. */
function skipBareWord(buffer: Buffer, from: number, end: number): number {
  let index = from;
  while (index < end && isBare(buffer[index])) index += 1;
  const word = buffer.toString("latin1", from, index);
  return WORDS.has(word) || NUMBER.test(word) ? index : -1;
}

function isBare(byte: number | undefined): boolean {
  if (byte === undefined || byte <= 0x20) return false;
  return byte !== COMMA && byte !== CLOSE_BRACE && byte !== CLOSE_BRACKET;
}
