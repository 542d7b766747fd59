import { dirname, join } from "node:path";
import { isCommitId } from "../base/id.ts";
import { readText } from "../fs/read.ts";
import { makeDirectory, writeAtomic } from "../fs/write.ts";
import { formatOf, objectName, treeObject } from "../git/object-pack.ts";
import type { NewObject, ObjectFormat, TreeEntry } from "../git/object-pack.ts";
import { directoryEntry } from "../git/plumbing.ts";
import type { StorePlace } from "./judge-files.ts";

/** What lies below a commit of records that was made here: in the directory of records, and beside it. */
export interface OwnTree {
  entries: readonly TreeEntry[];
  beside: readonly TreeEntry[];
}

/** The two trees of a commit of records: of their directory, and of all. */
export function treesOf(
  { entries, beside }: OwnTree,
  format: ObjectFormat,
): { records: NewObject; whole: NewObject } {
  const records = treeObject(entries);
  return { records, whole: treeObject([...beside, directoryEntry("records", objectName(records, format))]) };
}

const MAXIMUM_BYTES = 8 * 1024 * 1024;
const TYPES: ReadonlySet<unknown> = new Set(["blob", "tree", "commit"]);

function cachePath({ cache }: Pick<StorePlace, "cache">): string {
  return join(dirname(cache), "continuity-tree.json");
}

function isEntry(value: unknown): value is TreeEntry {
  if (typeof value !== "object" || value === null) return false;
  const { mode, type, id, name } = value as Record<string, unknown>;
  const texts = typeof mode === "string" && typeof id === "string" && typeof name === "string";
  return texts && TYPES.has(type) && isCommitId(id) && /^\d{5,6}$/.test(mode) && !/[/\0]/.test(name);
}

function isEntries(value: unknown): value is TreeEntry[] {
  return Array.isArray(value) && value.every(isEntry);
}

/** Remembers the tree of a commit that was just made, so that the next publication need not ask git for it. */
export function keepOwnTree(place: Pick<StorePlace, "cache">, commit: NewObject, tree: OwnTree): void {
  const { entries, beside } = tree;
  try {
    makeDirectory(dirname(place.cache), 0o700);
    const text = JSON.stringify({ commit: commit.bytes.toString("latin1"), entries, beside });
    writeAtomic(cachePath(place), `${text}\n`, { mode: 0o600 });
  } catch {
    // git is asked the next time.
  }
}

/**
 * The tree of a commit, where it was the last one made here. A tree that is built upon must be right: the names
 * of the commit and of its trees are worked out again from what was kept, and another one is nobody's.
 */
export function recallOwnTree(place: Pick<StorePlace, "cache">, tip: string): OwnTree | undefined {
  const text = readText(cachePath(place), { maximumBytes: MAXIMUM_BYTES });
  if (!text.ok) return undefined;
  try {
    const { commit, entries, beside } = JSON.parse(text.value) as Record<string, unknown>;
    if (typeof commit !== "string" || !isEntries(entries) || !isEntries(beside)) return undefined;
    const format = formatOf(tip);
    const bytes = Buffer.from(commit, "latin1");
    if (objectName({ type: "commit", bytes }, format) !== tip) return undefined;
    const whole = objectName(treesOf({ entries, beside }, format).whole, format);
    return commit.startsWith(`tree ${whole}\n`) ? { entries, beside } : undefined;
  } catch {
    return undefined;
  }
}
