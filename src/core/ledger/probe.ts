import { MemberCursor } from "./grammar.ts";
import { decodeText, isTight, memberKey } from "./values.ts";

const ABSENT = 0;
const TEXT = 1;
const ESCAPED = 2;
const OTHER = 3;

/**
 * Reads a few chosen text members of a line without building the rest: what filters and counts need of a
 * million lines. A line is valid by the rules of `parseLine`, and of a key that occurs twice the first
 * occurrence counts. One probe is reused; its answers hold until the next `read`.
 */
export class LineProbe {
  private readonly names: readonly string[];
  private readonly keys: readonly Buffer[];
  private readonly states: Uint8Array;
  private readonly starts: Int32Array;
  private readonly ends: Int32Array;
  private readonly cursor = new MemberCursor();

  /** @param names which members, beside `ts` (0) and `event` (1), are wanted; the first of them is member 2. */
  constructor(names: readonly string[] = []) {
    this.names = ["ts", "event", ...names];
    this.keys = this.names.map((name) => Buffer.from(name));
    this.states = new Uint8Array(this.keys.length);
    this.starts = new Int32Array(this.keys.length);
    this.ends = new Int32Array(this.keys.length);
  }

  /** Reads the line `[start, end)`; false for a malformed one. */
  read(buffer: Buffer, start: number, end: number): boolean {
    const cursor = this.cursor.aim(buffer, start, end);
    let tight = true;
    this.states.fill(ABSENT);
    while (cursor.next()) {
      const slot = this.slotOf(cursor);
      if (slot < 0 || this.states[slot] !== ABSENT) continue;
      this.note(slot, cursor);
      if (slot < 2 && !isTight(cursor)) tight = false;
    }
    return tight && cursor.complete && this.isText(0) && this.isText(1);
  }

  private slotOf(cursor: MemberCursor): number {
    if (cursor.keyEscaped) return this.names.indexOf(memberKey(cursor));
    const length = cursor.keyEnd - cursor.keyStart;
    for (let slot = 0; slot < this.keys.length; slot += 1) {
      const key = this.keys[slot];
      if (key !== undefined && key.length === length && hasBytes(cursor.buffer, cursor.keyStart, key))
        return slot;
    }
    return -1;
  }

  private note(slot: number, cursor: MemberCursor): void {
    this.states[slot] = cursor.kind === "text" ? TEXT : cursor.kind === "escaped" ? ESCAPED : OTHER;
    this.starts[slot] = cursor.valueStart;
    this.ends[slot] = cursor.valueEnd;
  }

  private isText(slot: number): boolean {
    return this.states[slot] === TEXT || this.states[slot] === ESCAPED;
  }

  /** The text of member `slot`; undefined where it is absent or not a string. */
  text(slot: number): string | undefined {
    if (!this.isText(slot)) return undefined;
    const escaped = this.states[slot] === ESCAPED;
    return decodeText(this.cursor.buffer, this.starts[slot] ?? 0, this.ends[slot] ?? 0, escaped);
  }
}

function hasBytes(buffer: Buffer, start: number, bytes: Buffer): boolean {
  for (let index = 0; index < bytes.length; index += 1) {
    if (buffer[start + index] !== bytes[index]) return false;
  }
  return true;
}
