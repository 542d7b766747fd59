import { dirname } from "node:path";
import * as z from "zod/mini";
import { sha256Hex } from "../base/id.ts";
import { VERSION } from "../base/version.ts";
import { readRegularFile, readText, stampOf } from "../fs/read.ts";
import { makeDirectory, writeAtomic } from "../fs/write.ts";

/** More than any file of settings needs. */
export const MAXIMUM_SOURCE_BYTES = 1024 * 1024;

/** A file system may count time so coarsely that a change right after our look leaves the stamp alone. */
const RACY_MILLISECONDS = 2000;

const Source = z.object({
  path: z.string(),
  /** Absent when the file was. */
  seen: z.optional(
    z.object({ size: z.number(), modified: z.number(), inode: z.string(), sha256: z.string() }),
  ),
});
type Source = z.infer<typeof Source>;

const Entry = z.object({ version: z.string(), sources: z.array(Source), value: z.unknown() });

/**
 * The last parsed form of some files, while none of them has changed, so that a hook parses no YAML. A
 * source is unchanged when its stamp is, and, where it was written about when the cache was, its hash.
 *
 * @param cache the cache file. One that is damaged, of another version or of another shape is ignored.
 * @returns undefined when the sources must be read again.
 */
export function recallParsed<Schema extends z.ZodMiniType>(
  cache: string,
  schema: Schema,
): z.output<Schema> | undefined {
  const text = readText(cache, { maximumBytes: MAXIMUM_SOURCE_BYTES });
  if (!text.ok) return undefined;
  const written = stampOf(cache)?.modified;
  if (written === undefined) return undefined;
  const entry = Entry.safeParse(parseJson(text.value));
  if (!entry.success || entry.data.version !== VERSION) return undefined;
  const { sources } = entry.data;
  if (!sources.every((source) => isUnchanged(source, written))) return undefined;
  const value = schema.safeParse(entry.data.value);
  if (!value.success) return undefined;
  // Kept once more, later: from then on the stamps decide alone.
  if (sources.some((source) => isRacy(source, written))) keepParsed(cache, sources, entry.data.value);
  return value.data;
}

/**
 * Keeps a parsed form beside what its sources looked like before they were read. A cache that cannot be
 * written is no failure: the sources are there.
 */
export function keepParsed(cache: string, sources: readonly Source[], value: unknown): void {
  try {
    makeDirectory(dirname(cache), 0o700);
    writeAtomic(cache, JSON.stringify({ version: VERSION, sources, value }), { mode: 0o600 });
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
