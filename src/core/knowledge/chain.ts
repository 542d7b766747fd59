import type { KnowledgeFile, KnowledgeStore } from "../records/knowledge-store.ts";

const KNOWLEDGE = "knowledge:";

/** Which record took the place of which, walkable from either end. */
export class SupersessionChains {
  readonly #files: ReadonlyMap<string, KnowledgeFile>;
  readonly #next = new Map<string, string>();
  readonly #previous = new Map<string, string[]>();

  constructor(store: KnowledgeStore) {
    // Of an id that stands on both shelves, the curated record counts.
    this.#files = new Map(store.files.map((file) => [file.stem, file]));
    for (const { stem, record } of this.#files.values()) {
      if (record.supersededBy !== "") this.#link(stem, record.supersededBy);
      for (const { type, target } of record.relations) {
        if (type === "supersedes" && target.startsWith(KNOWLEDGE))
          this.#link(target.slice(KNOWLEDGE.length), stem);
      }
    }
  }

  #link(from: string, to: string): void {
    if (!this.#next.has(from)) this.#next.set(from, to);
    const previous = this.#previous.get(to) ?? [];
    if (!previous.includes(from)) this.#previous.set(to, [...previous, from]);
  }

  /** What took a record's place, nearest first; ends where the chain does, or where it would go round. */
  after(id: string): KnowledgeFile[] {
    const chain: KnowledgeFile[] = [];
    const seen = new Set([id]);
    for (let next = this.#next.get(id); next !== undefined && !seen.has(next); next = this.#next.get(next)) {
      seen.add(next);
      const file = this.#files.get(next);
      if (file !== undefined) chain.push(file);
    }
    return chain;
  }

  /** What a record took the place of, nearest first. */
  before(id: string): KnowledgeFile[] {
    const chain: KnowledgeFile[] = [];
    const seen = new Set([id]);
    let waiting = this.#previous.get(id) ?? [];
    while (waiting.length > 0) {
      const fresh = waiting.filter((previous) => !seen.has(previous));
      for (const previous of fresh) {
        seen.add(previous);
        const file = this.#files.get(previous);
        if (file !== undefined) chain.push(file);
      }
      waiting = fresh.flatMap((previous) => this.#previous.get(previous) ?? []);
    }
    return chain;
  }

  /** What is wrong with the chain that begins at a record, in one clause; null where nothing is. */
  faultOf(id: string): string | null {
    const seen = new Set([id]);
    let current = id;
    for (let next = this.#next.get(current); next !== undefined; next = this.#next.get(next)) {
      if (seen.has(next)) return "superseded_by: the chain leads back to itself";
      if (!this.#files.has(next)) return `superseded_by: ${next} is not in the store`;
      seen.add(next);
      current = next;
    }
    return null;
  }

  /** Records that say to supersede one which does not say so itself, by the id of the one that says it. */
  onesidedOf(file: KnowledgeFile): string[] {
    return file.record.relations
      .filter(({ type, target }) => type === "supersedes" && target.startsWith(KNOWLEDGE))
      .map(({ target }) => target.slice(KNOWLEDGE.length))
      .filter((id) => {
        const old = this.#files.get(id);
        return old !== undefined && old.record.supersededBy !== file.stem;
      });
  }
}
