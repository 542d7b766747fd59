import { join } from "node:path";
import { EXIT, MajordomusError } from "../base/error.ts";
import { CapsuleDocument } from "./document.ts";
import { listCapsules, readCapsule, readForJudging } from "./files.ts";
import type { ListedEntry } from "../fs/read-head.ts";
import type { MemoryTree } from "./memory-tree.ts";

/** A capsule that somebody named, read whole. */
export interface NamedCapsule {
  name: string;
  path: string;
  bytes: Buffer;
  document: CapsuleDocument;
}

function absent(wanted: string): MajordomusError {
  return new MajordomusError({
    code: "capsule.absent",
    exit: EXIT.missing,
    subject: wanted,
    message: "no capsule has this id or name",
    remedy: "`majordomus capsule list` shows them",
  });
}

function unusable(name: string, message: string, remedy?: string): MajordomusError {
  return new MajordomusError({
    code: "capsule.unusable",
    exit: EXIT.finding,
    subject: name,
    message,
    ...(remedy === undefined ? {} : { remedy }),
  });
}

/**
 * Reads the capsule in a file that is known to be there.
 *
 * @throws MajordomusError 10 when it cannot be read as a capsule.
 */
export function readNamed(tree: MemoryTree, name: string): NamedCapsule {
  const path = join(tree.capsules, name);
  const bytes = readCapsule(path);
  if (!bytes.ok) throw unusable(name, `is ${bytes.error}`);
  const document = CapsuleDocument.parse(bytes.value);
  if (document === undefined) throw unusable(name, "has no front matter");
  return { name, path, bytes: bytes.value, document };
}

/**
 * Finds capsules by their files' names or their ids; of any number of them the directory is listed once, and each
 * file is read for its id once, if any id is asked for at all.
 */
export interface CapsuleFinder {
  /**
   * @throws MajordomusError 12 when there is none, 10 when several have the id, or the file cannot be read as a
   *   capsule.
   */
  find: (wanted: string) => NamedCapsule;
}

/** The names of the files under each id, in the order of names. */
export function namesById(
  tree: MemoryTree,
  entries: readonly ListedEntry[],
): ReadonlyMap<string, readonly string[]> {
  const byId = new Map<string, string[]>();
  for (const entry of entries) {
    const document = readForJudging(tree.capsules, entry);
    const id = document.ok ? (document.value?.text("id").trim() ?? "") : "";
    if (id === "") continue;
    const known = byId.get(id);
    if (known === undefined) byId.set(id, [entry.name]);
    else known.push(entry.name);
  }
  return byId;
}

/** Opens the capsules of a tree as they lie there now. */
export function openFinder(tree: MemoryTree): CapsuleFinder {
  const listed = listCapsules(tree.capsules);
  const entries = listed.ok ? listed.value : [];
  const names = new Set(entries.map(({ name }) => name));
  let byId: ReadonlyMap<string, readonly string[]> | undefined;
  return {
    find(wanted) {
      const exact = [wanted, `${wanted}.md`].find((name) => names.has(name));
      if (exact !== undefined) return readNamed(tree, exact);
      byId ??= namesById(tree, entries);
      const [name, ...others] = byId.get(wanted) ?? [];
      if (name === undefined) throw absent(wanted);
      if (others.length > 0)
        throw unusable(name, `and ${others.length} more file(s) have the id ${wanted}`, "name the file");
      return readNamed(tree, name);
    },
  };
}

/**
 * Finds one capsule by its file's name, with or without its ending, or by its id.
 *
 * @throws MajordomusError as {@link CapsuleFinder.find}.
 */
export function findCapsule(tree: MemoryTree, wanted: string): NamedCapsule {
  return openFinder(tree).find(wanted);
}
