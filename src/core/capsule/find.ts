import { join } from "node:path";
import { EXIT, MajordomusError } from "../base/error.ts";
import { CapsuleDocument } from "./document.ts";
import { listCapsules, readCapsule, readForJudging } from "./files.ts";
import type { ListedEntry } from "../fs/read-head.ts";
import type { MemoryTree } from "./memory-tree.ts";
import { quoteValue } from "./quote.ts";

/** So many of the files that a name may mean are told. */
const MOST_SHOWN = 5;

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
 * The file that is meant where it can only be one.
 *
 * @throws MajordomusError 10 naming them where it may be several.
 */
function onlyOf(wanted: string, names: readonly string[]): string | undefined {
  const [name, ...others] = names;
  if (others.length === 0) return name;
  const shown = names.slice(0, MOST_SHOWN).map((one) => quoteValue(one, 120));
  const more = names.length > MOST_SHOWN ? ` and ${names.length - MOST_SHOWN} more` : "";
  throw unusable(wanted, `may mean ${shown.join(" or ")}${more}`, "name the file, with its ending");
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
 * Finds capsules by their files' names or their ids: a whole file name means that file; anything else the files that
 * are called so without their ending, or have it as their id, and it must be one. Of any number of them the
 * directory is listed once, and each file is read for its id once, if any id is asked for at all.
 */
export interface CapsuleFinder {
  /** The names of all files. */
  names: ReadonlySet<string>;
  /**
   * @throws MajordomusError 12 when there is none, 10 when several may be meant, or the file cannot be read as a
   *   capsule.
   */
  find: (wanted: string) => NamedCapsule;
  /**
   * The one that has an id, whatever the files are called; undefined where none has it.
   *
   * @throws MajordomusError 10 as `find`.
   */
  withId: (id: string) => NamedCapsule | undefined;
}

/** The names of the files under each id, in the order of names. */
function namesById(
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
  let known: ReadonlyMap<string, readonly string[]> | undefined;
  const namesOf = (id: string): readonly string[] => {
    known ??= namesById(tree, entries);
    return known.get(id) ?? [];
  };
  return {
    names,
    find(wanted) {
      if (names.has(wanted)) return readNamed(tree, wanted);
      const file = `${wanted}.md`;
      const name = onlyOf(wanted, [...new Set([...(names.has(file) ? [file] : []), ...namesOf(wanted)])]);
      if (name === undefined) throw absent(wanted);
      return readNamed(tree, name);
    },
    withId(id) {
      const name = onlyOf(id, namesOf(id));
      return name === undefined ? undefined : readNamed(tree, name);
    },
  };
}

/**
 * Finds one capsule by its file's name, with or without its ending, or by its id, as a {@link CapsuleFinder} does.
 *
 * @throws MajordomusError as {@link CapsuleFinder.find}.
 */
export function findCapsule(tree: MemoryTree, wanted: string): NamedCapsule {
  return openFinder(tree).find(wanted);
}
