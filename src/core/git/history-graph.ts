import type { Commit } from "./commits.ts";

const SHORT_LENGTH = 7;

/** Prints `id parents`, NUL, subject, NUL for each commit that is asked for, children before parents. */
export const LOG: readonly string[] = [
  "log",
  "--stdin",
  "-z",
  "--topo-order",
  "--format=tformat:%H %P%x00%s",
  "--encoding=UTF-8",
  "--no-show-signature",
  "--no-color",
];

interface Node {
  commit: Commit;
  parents: readonly string[];
}

/**
 * A piece of history as one run of git printed it: what HEAD has above a base, and what other commits have
 * that is not below it. A commit that was asked about and is not printed lies below, so HEAD reaches it.
 */
export class HistoryGraph {
  readonly asked: Set<string>;
  readonly #base: string;
  /** Children before parents. */
  readonly #nodes = new Map<string, Node>();
  readonly #ofHead: ReadonlySet<string>;

  constructor(head: string, base: string, asked: Iterable<string>, output: string) {
    this.asked = new Set(asked);
    this.#base = base;
    const fields = output.split("\0");
    for (let index = 0; index + 1 < fields.length; index += 2) {
      const [id = "", ...parents] = (fields[index] ?? "").trim().split(" ");
      const commit = { id, short: id.slice(0, SHORT_LENGTH), subject: fields[index + 1] ?? "" };
      this.#nodes.set(id, { commit, parents });
    }
    this.#ofHead = this.#reachableFrom(head);
  }

  /** Whether HEAD's history holds this commit; it must have been asked about. */
  reaches(commit: string): boolean {
    return !this.#nodes.has(commit) || this.#ofHead.has(commit);
  }

  /** What HEAD has and this ancestor has not, oldest first; undefined where it lies too deep to tell. */
  since(ancestor: string): Commit[] | undefined {
    if (ancestor !== this.#base && !this.#nodes.has(ancestor)) return undefined;
    const below = this.#reachableFrom(ancestor);
    return [...this.#nodes]
      .filter(([id]) => this.#ofHead.has(id) && !below.has(id))
      .map(([, { commit }]) => commit)
      .toReversed();
  }

  #reachableFrom(start: string): Set<string> {
    const reached = new Set<string>();
    const waiting = [start];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const node = this.#nodes.get(id);
      if (node === undefined || reached.has(id)) continue;
      reached.add(id);
      waiting.push(...node.parents);
    }
    return reached;
  }
}
