import { viewOf } from "./name-table.ts";
import type { NameTable } from "./name-table.ts";
import { readStamp } from "./stamp.ts";

const OPENING = '{"ts":"';
const STAMP_LENGTH = "0000-00-00T00:00:00Z".length;
const TO_EVENT = '","event":"';
const OPENING_LENGTH = OPENING.length + STAMP_LENGTH + TO_EVENT.length;
/** Between the text of `event` and that of `session`: the same for as long as nobody commits or switches. */
const MIDDLE = /^","head":"[^"\\\0]*","branch":"[^"\\\0]*","by":"[^"\\\0]*","session":"/;
const LONGEST_MIDDLE = 1024;

/**
 * Reads the envelope of lines that are composed as `composeLine` does, with a session (records.md 4): fixed
 * order, no blanks, no escape before the session's end. Nearly every line of a ledger is, and repeats most of
 * the bytes of the line before it, so these are compared with what was last found right, four at once. What
 * is not of this form is left to the grammar.
 */
export class ComposedLine {
  /** Of `events` and of `sessions`. */
  event = 0;
  session = 0;
  /** As `readStamp` gives it; never -1. */
  stamp = 0;
  /** The index after the session's closing quote: the rest of the line was not looked at. */
  rest = 0;
  private readonly events: NameTable;
  private readonly sessions: NameTable;
  private readonly opening = new Familiar();
  private readonly middle = new Familiar();
  private buffer: Buffer = Buffer.alloc(0);

  constructor({ events, sessions }: { events: NameTable; sessions: NameTable }) {
    this.events = events;
    this.sessions = sessions;
  }

  /** Reads the line `[start, end)`; false where it is of another form, which says nothing of its validity. */
  read(buffer: Buffer, start: number, end: number): boolean {
    this.buffer = buffer;
    const view = viewOf(buffer);
    const { events, sessions } = this;
    if (!this.opening.isAt(view, start, end) && !this.learnOpening(start, end)) return false;
    this.event = events.read(buffer, start + OPENING_LENGTH, end);
    if (this.event < 0) return false;
    if (!this.middle.isAt(view, events.end, end) && !this.learnMiddle(events.end, end)) return false;
    const from = events.end + this.middle.length;
    this.session = sessions.read(buffer, from, end);
    this.rest = sessions.end + 1;
    return this.session >= 0 && sessions.end > from;
  }

  private learnOpening(start: number, end: number): boolean {
    if (end - start < OPENING_LENGTH) return false;
    const from = start + OPENING.length;
    const stamp = readStamp(this.buffer, from, from + STAMP_LENGTH);
    if (stamp < 0 || this.buffer.toString("latin1", start, from) !== OPENING) return false;
    if (this.buffer.toString("latin1", from + STAMP_LENGTH, start + OPENING_LENGTH) !== TO_EVENT)
      return false;
    this.stamp = stamp;
    this.opening.learn(this.buffer, start, start + OPENING_LENGTH);
    return true;
  }

  private learnMiddle(start: number, end: number): boolean {
    const text = this.buffer.toString("latin1", start, Math.min(end, start + LONGEST_MIDDLE));
    const found = MIDDLE.exec(text);
    if (found === null) return false;
    this.middle.learn(this.buffer, start, start + found[0].length);
    return true;
  }
}

/** Bytes that were last seen at one place of a line; at least eight, and no NUL among them. */
class Familiar {
  length = 0;
  private view = viewOf(Buffer.alloc(0));

  learn(buffer: Buffer, start: number, end: number): void {
    this.length = end - start;
    this.view = viewOf(Buffer.from(buffer.subarray(start, end)));
  }

  /**
   * Compares eight bytes at once, as floating point numbers: without a NUL among them two that are equal have the
   * same bytes, and of the few bytes that are no number nothing is equal to anything.
   */
  isAt(view: DataView, start: number, limit: number): boolean {
    const { length } = this;
    if (length === 0 || start + length > limit) return false;
    const known = this.view;
    // The last eight overlap with those before them, where the length is no multiple of eight.
    const last = length - 8;
    for (let index = 0; index < last; index += 8) {
      if (view.getFloat64(start + index, true) !== known.getFloat64(index, true)) return false;
    }
    return view.getFloat64(start + last, true) === known.getFloat64(last, true);
  }
}
