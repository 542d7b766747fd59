import { closeSync, fstatSync, openSync, readSync, readdirSync } from "node:fs";
import type { Dirent } from "node:fs";
import { compareBytewise } from "../base/bytewise.ts";
import { failed, ok, type Result } from "../base/result.ts";
import { touch } from "./fault.ts";
import { SAFE_FLAGS, failureOf, irregular, type ReadFailure } from "./read.ts";

/** One entry of a directory, as the listing tells of it. */
export interface ListedEntry {
  name: string;
  /** It was a regular file when it was listed; a link is none. */
  regular: boolean;
}

/**
 * The entries of a directory with their kinds, sorted by the bytes of their names, by one listing: thousands of
 * files need no question each.
 *
 * @throws the errno error.
 */
export function listEntries(path: string): ListedEntry[] {
  touch("read", path);
  return readdirSync(path, { withFileTypes: true })
    .map((entry: Dirent) => ({ name: entry.name, regular: entry.isFile() }))
    .toSorted((a, b) => compareBytewise(a.name, b.name));
}

/** The beginning of a file, in the caller's buffer. */
export interface FileHead {
  /** How many bytes were read. */
  filled: number;
  size: number;
}

/**
 * Reads the beginning of a file that a listing called regular into a buffer. What was put in its place since
 * is refused like everything that is no regular file: links are not followed, a FIFO does not block.
 */
export function readHead(path: string, buffer: Buffer): Result<FileHead, ReadFailure> {
  let descriptor: number;
  try {
    touch("open", path);
    descriptor = openSync(path, SAFE_FLAGS);
  } catch (error) {
    return failed(failureOf(error, path));
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return failed(irregular(path, stats));
    touch("read", path);
    return ok({ filled: readSync(descriptor, buffer, 0, buffer.length, 0), size: stats.size });
  } catch (error) {
    return failed(failureOf(error, path));
  } finally {
    closeSync(descriptor);
  }
}
