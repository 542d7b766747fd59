import { join, sep } from "node:path";
import { errnoOf } from "../base/error.ts";
import { listDirectory, statEntry } from "../fs/read.ts";
import { DEFAULT_ROOTS } from "./install-root.ts";
import { MemoryRootError, readDeclaration, waysTo } from "./memory-declaration.ts";

export interface MemoryPlace {
  /** A plain join of base and `relative`. */
  root: string;
  /** With forward slashes. */
  relative: string;
}

/** Where an install keeps its memory (capsules.md 10.3). */
export interface MemoryRoot extends MemoryPlace {
  source: "configured" | "default";
  /** Where skill ledgers lie. */
  ledgers: MemoryPlace;
  exists: boolean;
}

/** A declared tree below this is made on first use: a fresh clone has none (decisions.md 3). */
const PRIVATE_HALF = ".ai/local/";

/** What a path is, without following a link; errors of the system name the memory root. */
function look(path: string): ReturnType<typeof statEntry> {
  try {
    return statEntry(path);
  } catch (error) {
    throw new MemoryRootError(path, `cannot be inspected (${errnoOf(error) ?? "unknown"})`, error);
  }
}

/** An entry that another system would take for the same name: equal but for case or composition. */
function twinOf(directory: string, name: string): string | undefined {
  const folded = (text: string): string => text.normalize("NFC").toLowerCase();
  return listDirectory(directory).find((entry) => entry !== name && folded(entry) === folded(name));
}

function refuseTwins(base: string, relative: string): void {
  let directory = base;
  for (const name of relative.split("/")) {
    const twin = twinOf(directory, name);
    if (twin !== undefined) {
      throw new MemoryRootError(
        join(directory, name),
        "differs from another entry there only by letter case",
      );
    }
    directory = join(directory, name);
    if (look(directory)?.isDirectory() !== true) return;
  }
}

/**
 * Judges every existing component of a root, and the root itself.
 *
 * @returns whether it exists.
 * @throws MemoryRootError for a link on the way, or something that is no directory.
 */
function inspect(base: string, relative: string): boolean {
  let exists = true;
  for (const path of waysTo(base, relative)) {
    const entry = look(path);
    if (entry?.isSymbolicLink() === true) {
      throw new MemoryRootError(path, "is a symbolic link, and memory never lies behind one");
    }
    if (entry !== undefined && !entry.isDirectory()) throw new MemoryRootError(path, "is not a directory");
    exists &&= entry !== undefined;
  }
  return exists;
}

/** An install root may be reached through a link, and may be missing; what is there and no directory has no memory. */
function refuseFile(base: string): void {
  if (look(`${base}${sep}.`) === undefined && look(base) !== undefined)
    throw new MemoryRootError(base, "cannot be inspected: it is not a directory");
}

function placeOf(base: string, relative: string): MemoryPlace {
  return { root: join(base, relative), relative };
}

/** Whether a declared tree is made on first use, wherever the repository was cloned to. */
export function isPrivate(relative: string): boolean {
  return `${relative}/`.startsWith(PRIVATE_HALF);
}

/**
 * Judges a place that is declared, or is to be.
 *
 * @param declared relative, and judged by its text already.
 * @throws MemoryRootError when it cannot be trusted, or is missing where it may not be.
 */
export function resolveDeclared(
  base: string,
  declared: string,
  options: { allowMissing?: boolean } = {},
): MemoryRoot {
  const place = placeOf(base, declared);
  const exists = inspect(base, declared);
  refuseTwins(base, declared);
  if (!exists && options.allowMissing !== true && !isPrivate(declared)) {
    throw new MemoryRootError(place.root, "is declared and does not exist");
  }
  return { ...place, source: "configured", ledgers: place, exists };
}

/**
 * Resolves where memory lies; the one rule for every reader and writer (capsules.md 10). Nothing is
 * created, and a declaration that fails never falls back to a default.
 *
 * @param base the install root, or what diverts it; absolute.
 * @throws MemoryRootError when there is no telling, or the place cannot be trusted.
 */
export function resolveMemoryRoot(base: string, options: { allowMissing?: boolean } = {}): MemoryRoot {
  if (base.trim() === "") throw new MemoryRootError(base, "is no install root");
  refuseFile(base);
  const declared = readDeclaration(base);
  if (declared !== undefined) return resolveDeclared(base, declared, options);
  const relative = DEFAULT_ROOTS.find((path) => look(join(base, path)) !== undefined) ?? DEFAULT_ROOTS[0];
  const place = placeOf(base, relative);
  const exists = inspect(base, relative);
  const seed = DEFAULT_ROOTS[1];
  const seeded = look(join(base, seed))?.isDirectory() === true;
  return { ...place, source: "default", ledgers: seeded ? placeOf(base, seed) : place, exists };
}
