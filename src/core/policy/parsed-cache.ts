import { dirname } from "node:path";
import { sha256Hex } from "../base/id.ts";
import { VERSION } from "../base/version.ts";
import { readRegularFile, readText, stampOf } from "../fs/read.ts";
import { makeDirectory, writeAtomic } from "../fs/write.ts";

/** More than any file of settings needs. */
export const MAXIMUM_SOURCE_BYTES = 1024 * 1024;

/** A file system may count time so coarsely that a change right after our look leaves the stamp alone. */
const RACY_MILLISECONDS = 2000;

/** How a file looked before it was read. */
export interface Source {
  path: string;
  /** Absent when the file was. */
  seen?: { size: number; modified: number; inode: string; sha256: string };
}

/** What the build made of the schemas that a kept form has passed. */
declare const __MAJORDOMUS_SETTINGS__: string;
const FORM = typeof __MAJORDOMUS_SETTINGS__ === "string" ? __MAJORDOMUS_SETTINGS__ : "";

interface Entry {
  version: string;
  form: string;
  sources: Source[];
  /** The parsed form as JSON, twice: damage does not strike both alike. */
  value: string;
  again: string;
}

/**
 * The last parsed form of some files, while none of them has changed, so that a hook parses no YAML and builds
 * no schema. A source is unchanged when its stamp is, and, where it was written about when the cache was, its
 * hash. The form passed its schema before it was kept, in git's own directory: whoever may write there may
 * as well write hooks of git.
 *
 * @param cache the cache file. One that is damaged or of another version is ignored.
 * @returns undefined when the sources must be read again.
 */
export function recallParsed(cache: string): unknown {
  const text = readText(cache, { maximumBytes: MAXIMUM_SOURCE_BYTES });
  if (!text.ok) return undefined;
  const written = stampOf(cache)?.modified;
  if (written === undefined) return undefined;
  const entry = parseJson(text.value);
  if (!isEntry(entry) || entry.version !== VERSION || entry.form !== FORM) return undefined;
  const { sources, value, again } = entry;
  if (value !== again || !sources.every((source) => isUnchanged(source, written))) return undefined;
  const parsed = parseJson(value);
  // Kept once more, later: from then on the stamps decide alone.
  if (parsed !== undefined && sources.some((source) => isRacy(source, written))) {
    keepParsed(cache, sources, parsed);
  }
  return parsed;
}

function isEntry(value: unknown): value is Entry {
  const entry = value as Partial<Entry> | null | undefined;
  return typeof entry?.value === "string" && Array.isArray(entry.sources) && entry.sources.every(isSource);
}

function isSource(value: unknown): value is Source {
  const source = value as Partial<Source> | null;
  if (typeof source?.path !== "string") return false;
  return source.seen === undefined || (typeof source.seen === "object" && source.seen !== null);
}

/**
 * Keeps a parsed form beside what its sources looked like before they were read. A cache that cannot be
 * written is no failure: the sources are there.
 */
export function keepParsed(cache: string, sources: readonly Source[], value: unknown): void {
  try {
    makeDirectory(dirname(cache), 0o700);
    const text = JSON.stringify(value);
    const entry: Entry = { version: VERSION, form: FORM, sources: [...sources], value: text, again: text };
    writeAtomic(cache, JSON.stringify(entry), { mode: 0o600 });
  } catch {
    // Reading goes on from the sources.
  }
}

/** How a file looks now, to be noted before it is read. */
export function noteSource(path: string): Source {
  const stamp = stampOf(path);
  const sha256 = hashOf(path);
  return stamp === undefined || sha256 === undefined ? { path } : { path, seen: { ...stamp, sha256 } };
}

function isUnchanged({ path, seen }: Source, written: number): boolean {
  const stamp = stampOf(path);
  if (seen === undefined || stamp === undefined) return seen === undefined && stamp === undefined;
  const same = stamp.size === seen.size && stamp.modified === seen.modified && stamp.inode === seen.inode;
  if (!same) return false;
  return !isRacy({ path, seen }, written) || hashOf(path) === seen.sha256;
}

function isRacy({ seen }: Source, written: number): boolean {
  return seen !== undefined && seen.modified >= written - RACY_MILLISECONDS;
}

function hashOf(path: string): string | undefined {
  const content = readRegularFile(path, { maximumBytes: MAXIMUM_SOURCE_BYTES });
  return content.ok ? sha256Hex(content.value) : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
