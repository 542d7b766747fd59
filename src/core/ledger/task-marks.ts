import { widened } from "./widened.ts";

/** Words of 32 marks that every row begins with. */
const FIRST_WORDS = 8;
/** Words that a row may have whatever it holds. */
const FREE_WORDS = 64;

/**
 * Which tasks of which episodes were seen, by their numbers. The tasks of an episode are near each other, as they
 * were numbered when they first came up: a row of bits for each episode is small enough to stay in the
 * processor's cache where a table of all pairs would not. Tasks that are far apart have a set instead, so that
 * memory is in proportion to the pairs, whatever a ledger says.
 */
export class TaskMarks {
  /** By the session's number: where its row stands, how long it is, the number of its first word, and its marks. */
  private starts = new Int32Array(64);
  private lengths = new Int32Array(64);
  private firsts = new Int32Array(64);
  private counts = new Int32Array(64);
  private rows = new Int32Array(1024);
  private filled = 0;
  private readonly scattered = new Map<number, Set<number>>();

  /** @returns whether the task is new to the episode. */
  add(session: number, task: number): boolean {
    if (session >= this.starts.length) this.widen(session);
    const word = (task >>> 5) - (this.firsts[session] ?? 0);
    if (word < 0 || word >= (this.lengths[session] ?? 0)) return this.addOutside(session, task);
    const place = (this.starts[session] ?? 0) + word;
    const before = this.rows[place] ?? 0;
    const after = before | (1 << (task & 31));
    if (before === after) return false;
    this.rows[place] = after;
    this.counts[session] = (this.counts[session] ?? 0) + 1;
    return true;
  }

  private addOutside(session: number, task: number): boolean {
    const scattered = this.scattered.get(session);
    if (scattered === undefined) {
      if (this.reach(session, task >>> 5)) return this.add(session, task);
      this.scattered.set(session, new Set([task]));
      return true;
    }
    const isNew = !scattered.has(task);
    scattered.add(task);
    return isNew;
  }

  /** Moves the row to where there is room for the word; false when the row would be mostly empty. */
  private reach(session: number, word: number): boolean {
    const length = this.lengths[session] ?? 0;
    if (length === 0) return this.move(session, word, FIRST_WORDS);
    const first = this.firsts[session] ?? 0;
    const needed = Math.max(first + length, word + 1) - Math.min(first, word);
    if (needed > FREE_WORDS + 2 * (this.counts[session] ?? 0)) return false;
    // As much room again, on the side to which the row grows.
    return this.move(session, word < first ? Math.max(0, first + length - 2 * needed) : first, 2 * needed);
  }

  private move(session: number, first: number, room: number): true {
    const start = this.filled;
    this.filled += room;
    if (this.filled > this.rows.length) this.rows = widened(this.rows, this.filled * 2);
    const from = this.starts[session] ?? 0;
    const length = this.lengths[session] ?? 0;
    this.rows.copyWithin(start + (this.firsts[session] ?? first) - first, from, from + length);
    this.starts[session] = start;
    this.lengths[session] = room;
    this.firsts[session] = first;
    return true;
  }

  private widen(session: number): void {
    const room = Math.max(this.starts.length, session) * 2;
    this.starts = widened(this.starts, room);
    this.lengths = widened(this.lengths, room);
    this.firsts = widened(this.firsts, room);
    this.counts = widened(this.counts, room);
  }
}
