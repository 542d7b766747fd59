import { EXIT, MajordomusError, reasonOf } from "../base/error.ts";
import { keepsRefsElsewhere } from "../git/head.ts";
import { listTree } from "../git/plumbing.ts";
import type { TreeEntry } from "../git/object-pack.ts";
import { readReference } from "../git/reference.ts";
import { readRef } from "../git/refs.ts";
import type { Repository } from "../git/repository.ts";
import { runGit } from "../git/run.ts";
import type { OwnTree } from "./own-tree.ts";

const RECORD_PATH = /^records\/[0-9a-f]{32}\.json$/;
export const MAXIMUM_FILES = 10_000;

/** A tree of records, parted; nothing in it is judged yet. */
export interface StoreFiles {
  /** Files in a record's place, by full path. */
  files: readonly TreeEntry[];
  /** Paths where no record can be. */
  stray: readonly string[];
  /** Of the directory of records, as they stand. */
  entries: readonly TreeEntry[];
  /** Beside it, as they stand. */
  beside: readonly TreeEntry[];
  /** Why nothing may be added here: directories where only files can be. */
  nested: string | undefined;
}

function notOurs(reference: string, message: string): MajordomusError {
  return new MajordomusError({
    code: "continuity.not_ours",
    exit: EXIT.finding,
    subject: reference,
    message,
    remedy: "nothing was changed; move that reference away, and records can be kept there again",
  });
}

/**
 * The commit that a reference of ours stands for.
 *
 * @throws MajordomusError 10 for a symbolic reference: writing to it would move what it leads to.
 */
export function readTip(repository: Repository, reference: string): string | undefined {
  const value = keepsRefsElsewhere(repository) ? undefined : readRef(repository, reference);
  if (value?.kind === "object") return value.id;
  if (value?.kind === "absent") return undefined;
  if (value?.kind === "symref" || runGit(repository, ["symbolic-ref", "-q", reference]).status === 0) {
    throw notOurs(reference, "leads to another reference");
  }
  return readReference(repository, reference);
}

function sortEntries(listing: readonly TreeEntry[]): StoreFiles {
  const files: TreeEntry[] = [];
  const stray: string[] = [];
  const entries: TreeEntry[] = [];
  const beside: TreeEntry[] = [];
  let nested: string | undefined;
  for (const entry of listing) {
    const inside = entry.name.startsWith("records/");
    const name = inside ? entry.name.slice("records/".length) : entry.name;
    if (entry.type === "tree") {
      if (entry.name !== "records") nested ??= entry.name;
      continue;
    }
    // What lies in a directory that has no place here is not ours to carry.
    if (!name.includes("/")) (inside ? entries : beside).push({ ...entry, name });
    if (entry.type !== "blob") continue;
    if (RECORD_PATH.test(entry.name)) files.push(entry);
    else stray.push(entry.name);
  }
  return { files, stray, entries, beside, nested };
}

/** Parts what is known to lie below a commit of records, as {@link listStoreFiles} would. */
export function partOwnTree({ entries, beside }: OwnTree): StoreFiles {
  const listing = [...entries.map((entry) => ({ ...entry, name: `records/${entry.name}` })), ...beside];
  return sortEntries(listing.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
}

/**
 * Lists what lies below a commit of records; one process.
 *
 * @param reference of which it is the tip, for what is said of it.
 * @throws MajordomusError 10 where that is no tree, or one of more than ten thousand files.
 */
export function listStoreFiles(repository: Repository, tip: string, reference: string): StoreFiles {
  let listing: TreeEntry[];
  try {
    listing = listTree(repository, tip);
  } catch (error) {
    throw notOurs(reference, `is not a commit of records: ${reasonOf(error)}`);
  }
  const files = listing.filter(({ type }) => type === "blob").length;
  if (files > MAXIMUM_FILES) throw notOurs(reference, `has ${files} files of at most ${MAXIMUM_FILES}`);
  return sortEntries(listing);
}
