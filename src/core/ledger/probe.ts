import { MemberCursor } from "./grammar.ts";
import { isEnvelopeKey } from "./line.ts";
import type { NameTable } from "./name-table.ts";
import { readStamp } from "./stamp.ts";
import { TextMemo } from "./text-memo.ts";
import { decodeText, isTight, memberKey } from "./values.ts";

const ABSENT = 0;
const TEXT = 1;
const ESCAPED = 2;
const OTHER = 3;

/** Wanted keys are shorter than this. */
const KEY_LENGTHS = 32;

function candidateIndex(length: number, firstByte: number): number {
  return length * 256 + firstByte;
}

/**
 * Reads a few chosen text members of a line without building the rest: what filters and counts need of a
 * million lines. A line is valid by the rules of `parseLine`, and of a key that occurs twice the first
 * occurrence counts. One probe is reused; its answers hold until the next `read`.
 */
export class LineProbe {
  private readonly names: readonly string[];
  private readonly keys: readonly Buffer[];
  private readonly states: Uint8Array;
  /** The states of a line whose envelope was read: its members are there, and no text is to be had of them. */
  private readonly afterEnvelope: Uint8Array;
  private readonly starts: Int32Array;
  private readonly ends: Int32Array;
  private readonly cursor = new MemberCursor();
  /** Made when the first text is asked for: who only counts asks for none. */
  private memo: TextMemo | undefined;
  /** The slot of a wanted key by its length and first byte, or -1. */
  private readonly candidates = new Int8Array(KEY_LENGTHS * 256).fill(-1);

  /** @param names which members, beside `ts` (0) and `event` (1), are wanted; the first of them is member 2. */
  constructor(names: readonly string[] = []) {
    this.names = ["ts", "event", ...names];
    this.keys = this.names.map((name) => Buffer.from(name));
    this.states = new Uint8Array(this.keys.length);
    this.afterEnvelope = Uint8Array.from(this.names, (name) => (isEnvelopeKey(name) ? OTHER : ABSENT));
    this.starts = new Int32Array(this.keys.length);
    this.ends = new Int32Array(this.keys.length);
    for (const [slot, key] of this.keys.entries()) this.admit(slot, key);
  }

  /** Reads the line `[start, end)`; false for a malformed one. */
  read(buffer: Buffer, start: number, end: number): boolean {
    this.cursor.aim(buffer, start, end);
    this.states.fill(ABSENT);
    return this.readMembers() && this.has(0) && this.has(1);
  }

  /**
   * Reads the members from the end of a value at `from` on, in a line whose envelope was read already: what
   * that has is not looked at again.
   *
   * @returns false when the line is malformed from there on.
   */
  readPayload(buffer: Buffer, from: number, end: number): boolean {
    this.cursor.resume(buffer, from, end);
    this.states.set(this.afterEnvelope);
    return this.readMembers();
  }

  private readMembers(): boolean {
    const { cursor } = this;
    let tight = true;
    while (cursor.next()) {
      const slot = this.slotOf(cursor);
      if (slot < 0 || this.states[slot] !== ABSENT) continue;
      this.note(slot, cursor);
      if (slot < 2 && !isTight(cursor)) tight = false;
    }
    return tight && cursor.complete;
  }

  /** Two wanted keys of one length and first byte would need a second look: no probe of ours has such. */
  private admit(slot: number, key: Buffer): void {
    const index = candidateIndex(key.length, key[0] ?? 0);
    if (key.length === 0 || key.length >= KEY_LENGTHS || this.candidates[index] !== -1) {
      throw new RangeError(`a probe cannot tell the key ${key.toString()} from another`);
    }
    this.candidates[index] = slot;
  }

  private slotOf(cursor: MemberCursor): number {
    if (cursor.keyEscaped) return this.names.indexOf(memberKey(cursor));
    const length = cursor.keyEnd - cursor.keyStart;
    if (length === 0 || length >= KEY_LENGTHS) return -1;
    const slot = this.candidates[candidateIndex(length, cursor.buffer[cursor.keyStart] ?? 0)] ?? -1;
    const key = slot < 0 ? undefined : this.keys[slot];
    return key !== undefined && hasBytes(cursor.buffer, cursor.keyStart, key) ? slot : -1;
  }

  private note(slot: number, cursor: MemberCursor): void {
    this.states[slot] = cursor.kind === "text" ? TEXT : cursor.kind === "escaped" ? ESCAPED : OTHER;
    this.starts[slot] = cursor.valueStart;
    this.ends[slot] = cursor.valueEnd;
  }

  /** Whether member `slot` stands in the line as text. */
  has(slot: number): boolean {
    return this.states[slot] === TEXT || this.states[slot] === ESCAPED;
  }

  /** The text of member `slot`; undefined where it is absent or not a string. */
  text(slot: number): string | undefined {
    if (!this.has(slot)) return undefined;
    const { buffer } = this.cursor;
    const start = this.starts[slot] ?? 0;
    const end = this.ends[slot] ?? 0;
    if (this.states[slot] === ESCAPED) return decodeText(buffer, start, end, true);
    this.memo ??= new TextMemo();
    return this.memo.text(buffer, start, end);
  }

  /** The name of member `slot`'s text; -1 where it is absent or not a string. */
  name(slot: number, table: NameTable): number {
    if (!this.has(slot)) return -1;
    const { buffer } = this.cursor;
    const [start, end] = [this.starts[slot] ?? 0, this.ends[slot] ?? 0];
    if (this.states[slot] === ESCAPED) return table.nameOf(decodeText(buffer, start, end, true));
    return table.nameOfBytes(buffer, start, end);
  }

  /** The timestamp of the line as `readStamp` gives it. */
  stamp(): number {
    return readStamp(this.cursor.buffer, this.starts[0] ?? 0, this.ends[0] ?? 0);
  }
}

function hasBytes(buffer: Buffer, start: number, bytes: Buffer): boolean {
  for (let index = 0; index < bytes.length; index += 1) {
    if (buffer[start + index] !== bytes[index]) return false;
  }
  return true;
}
