import { compareBytewise } from "../base/bytewise.ts";
import { bounded, diagnostic } from "./diagnostic.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { RecordSummary } from "./summary.ts";

/** What one record is to another (records.md 14.12). */
export type Relation = "equal" | "newer" | "older" | "diverged" | "independent";

/** No chain is followed further. */
const LONGEST_CHAIN = 100_000;

/** What lineage looks at in a record. */
export type Link = Pick<RecordSummary, "id" | "line" | "parent">;

/**
 * The forest that parent links make of admitted records. Clocks decide nothing here. A record whose parent
 * is not there is kept where it is, and finds its place when the parent comes.
 */
export class Lineage {
  readonly #records: ReadonlyMap<string, Link>;
  readonly #children = new Map<string, string[]>();
  readonly #heads = new Map<string, string[]>();

  constructor(records: ReadonlyMap<string, Link>) {
    this.#records = records;
    for (const { id, parent } of records.values()) {
      if (parent === undefined || !records.has(parent)) continue;
      const children = this.#children.get(parent);
      if (children === undefined) this.#children.set(parent, [id]);
      else children.push(id);
    }
    for (const { id, line } of records.values()) {
      if (this.#children.has(id)) continue;
      const heads = this.#heads.get(line);
      if (heads === undefined) this.#heads.set(line, [id]);
      else heads.push(id);
    }
    for (const heads of this.#heads.values()) heads.sort(compareBytewise);
  }

  /** The records of a line that nothing goes on from, sorted. */
  heads(line: string): readonly string[] {
    return this.#heads.get(line) ?? [];
  }

  /** Every line that has a record here, sorted, with how many. */
  lines(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { line } of this.#records.values()) counts.set(line, (counts.get(line) ?? 0) + 1);
    return new Map([...counts].toSorted(([a], [b]) => compareBytewise(a, b)));
  }

  /** The record and what it goes on from, the newest first, as far as it is here. */
  *chain(id: string): Generator<string> {
    let current: string | undefined = id;
    for (let length = 0; current !== undefined && length < LONGEST_CHAIN; length += 1) {
      const record: Link | undefined = this.#records.get(current);
      if (record === undefined) return;
      yield current;
      current = record.parent;
    }
  }

  /** Whether `newer` goes on from `older`, over any number of records; a record is no descendant of itself. */
  descends(older: string, newer: string): boolean {
    if (older === newer) return false;
    for (const id of this.chain(newer)) if (id === older) return true;
    return false;
  }

  /** What `other` is to `record`. */
  relation(record: Link, other: Link): Relation {
    if (record.id === other.id) return "equal";
    if (record.line !== other.line) return "independent";
    if (this.descends(record.id, other.id)) return "newer";
    return this.descends(other.id, record.id) ? "older" : "diverged";
  }

  /** These records and everything that they go on from. */
  ancestry(ids: Iterable<string>): Set<string> {
    const seen = new Set<string>();
    for (const start of ids) {
      for (const id of this.chain(start)) {
        if (seen.has(id)) break;
        seen.add(id);
      }
    }
    return seen;
  }

  /** What is not as it should be: links that lead nowhere or elsewhere, lines that were continued twice. */
  findings(): Diagnostic[] {
    const dangling: Diagnostic[] = [];
    const broken: Diagnostic[] = [];
    const diverged: Diagnostic[] = [];
    for (const { id, line, parent } of this.#records.values()) {
      const above = parent === undefined ? undefined : this.#records.get(parent);
      if (parent !== undefined && above === undefined) {
        const message = `continues ${parent.slice(0, 12)}, which is not in this store yet`;
        dangling.push(diagnostic("warning", "continuity.dangling_parent", message, id));
      } else if (above !== undefined && above.line !== line) {
        const message = `names line ${line.slice(0, 12)}, its parent is of ${above.line.slice(0, 12)}`;
        broken.push(diagnostic("error", "continuity.broken_lineage", message, id));
      }
    }
    for (const [line, heads] of this.#heads) {
      if (heads.length < 2) continue;
      const message = `was continued ${heads.length} times: ${heads.map((head) => head.slice(0, 12)).join(", ")}`;
      diverged.push(diagnostic("warning", "continuity.diverged", message, line));
    }
    return [dangling, broken, diverged].flatMap((found) =>
      bounded(found.toSorted((a, b) => compareBytewise(a.subject ?? "", b.subject ?? ""))),
    );
  }
}
