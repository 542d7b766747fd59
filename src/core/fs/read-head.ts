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

const OUTSIDE = /[\ud800-\udfff]/;

/**
 * The entries of a directory with their kinds, sorted by the bytes of their names, by one listing: thousands of
 * files need no question each.
 *
 * @throws the errno error.
 */
export function listEntries(path: string): ListedEntry[] {
  touch("read", path);
  const entries = readdirSync(path, { withFileTypes: true }).map((entry: Dirent) => ({
    name: entry.name,
    regular: entry.isFile(),
  }));
  // The native order of strings is that of their bytes, unless a name has characters outside the basic plane.
  const plain = !entries.some(({ name }) => OUTSIDE.test(name));
  return entries.toSorted((a, b) => (plain ? (a.name < b.name ? -1 : 1) : compareBytewise(a.name, b.name)));
}

/** The beginning of a file, in the caller's buffer. */
export interface FileHead {
  /** How many bytes were read. */
  filled: number;
  size: number;
}

/**
 * Reads the beginning of a file that a listing called regular into a buffer, at three system calls. Of what was put in
 * its place since, a link is not followed, and a FIFO does not block.
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
    touch("read", path);
    const filled = readSync(descriptor, buffer, 0, buffer.length, null);
    // A file that ends within the buffer needs no further question: most of thousands do.
    if (filled < buffer.length) return ok({ filled, size: filled });
    const stats = fstatSync(descriptor);
    return stats.isFile() ? ok({ filled, size: stats.size }) : failed(irregular(path, stats));
  } catch (error) {
    return failed(failureOf(error, path));
  } finally {
    closeSync(descriptor);
  }
}
