import { failed, ok } from "../base/result.ts";
import type { Result } from "../base/result.ts";
import type { Repository } from "./repository.ts";
import { reasonOfFailure, runGit } from "./run.ts";

interface Node {
  id: string;
  /** Seconds since the epoch, by the committer's clock. */
  time: number;
  /** Places of the parents, all greater than the node's own; parents beyond a cut are left out. */
  parents: number[];
}

const OF_END = 1;
const OF_BEGINNING = 2;

/** The history of some commits as one run of git told it: enough to answer any span of it from memory. */
export class SpanGraph {
  /** Children before parents. */
  readonly #nodes: Node[] = [];
  readonly #places = new Map<string, number>();

  /** Reads the whole history of these commits; those that are not here are passed over. One process. */
  static read(
    repository: Repository,
    tips: readonly string[],
    timeoutMilliseconds: number,
  ): Result<SpanGraph, string> {
    const command = ["rev-list", "--ignore-missing", "--stdin", "--topo-order", "--parents", "--timestamp"];
    const outcome = runGit(repository, command, { input: `${tips.join("\n")}\n`, timeoutMilliseconds });
    if (outcome.status !== 0) return failed(reasonOfFailure(command, outcome));
    return ok(new SpanGraph(outcome.stdout.toString("latin1")));
  }

  /** @param output lines of `time id parents`, children first. */
  constructor(output: string) {
    const rows = output
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => line.split(" "));
    for (const [place, [, id = ""]] of rows.entries()) this.#places.set(id, place);
    for (const [time, id = "", ...parents] of rows) {
      const places = parents.map((parent) => this.#places.get(parent)).filter((place) => place !== undefined);
      this.#nodes.push({ id, time: Number(time), parents: places });
    }
  }

  has(commit: string): boolean {
    return this.#places.has(commit);
  }

  /**
   * What `to` has and `from` has not, oldest first; undefined where `from` is no ancestor of `to`. Side by
   * side lines of history are ordered by depth, then time, then id: by nothing but the span itself.
   */
  between(from: string, to: string): string[] | undefined {
    const start = this.#places.get(to);
    const end = this.#places.get(from);
    if (start === undefined || end === undefined) return undefined;
    const flags = new Map([[start, OF_END]]);
    flags.set(end, (flags.get(end) ?? 0) | OF_BEGINNING);
    const range: number[] = [];
    let waiting = start === end ? 0 : 1;
    for (let place = Math.min(start, end); waiting > 0 && place < this.#nodes.length; place += 1) {
      const flag = flags.get(place);
      if (flag === undefined) continue;
      if (flag === OF_END) {
        range.push(place);
        waiting -= 1;
      }
      for (const parent of this.#nodes[place]?.parents ?? []) {
        const before = flags.get(parent) ?? 0;
        const after = before | flag;
        flags.set(parent, after);
        if (before !== OF_END && after === OF_END) waiting += 1;
        if (before === OF_END && after !== OF_END) waiting -= 1;
      }
    }
    if (((flags.get(end) ?? 0) & OF_END) === 0) return undefined;
    return this.#oldestFirst(range).map((place) => this.#nodes[place]?.id ?? "");
  }

  /** @param range places in ascending order: children before parents. */
  #oldestFirst(range: readonly number[]): number[] {
    const depths = new Map<number, number>();
    for (const place of range.toReversed()) {
      const below = (this.#nodes[place]?.parents ?? []).map((parent) => depths.get(parent) ?? 0);
      depths.set(place, Math.max(0, ...below) + 1);
    }
    const node = (place: number): Node => this.#nodes[place] ?? { id: "", time: 0, parents: [] };
    return range.toSorted((left, right) => {
      const depth = (depths.get(left) ?? 0) - (depths.get(right) ?? 0);
      if (depth !== 0) return depth;
      const time = node(left).time - node(right).time;
      if (time !== 0) return time;
      return node(left).id < node(right).id ? -1 : 1;
    });
  }
}
