import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  linkSync,
  openSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../base/error.ts";
import { randomHex } from "../base/random.ts";
import { touch } from "./fault.ts";
import { retryTransient } from "./pause.ts";

export interface WriteOptions {
  /** Given: exactly these bits. Not given: 0644 less the umask. */
  mode?: number;
  /** `fsync` of the file and of its directory. @default false */
  durable?: boolean;
}

/** As a write of ours names what it has not finished yet. */
const TEMPORARY = /^\.tmp\.[0-9a-f]{4,8}$/;

/** Whether a name is that of a file that a write of ours has not finished, or never will. */
export function isTemporary(name: string): boolean {
  return TEMPORARY.test(name);
}

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/** Names the file in an errno error that came from a bare descriptor. */
export function namePath(error: unknown, path: string): unknown {
  if (error instanceof Error && errnoOf(error) !== undefined && !("path" in error)) {
    error.message = `${error.message} '${path}'`;
    Object.assign(error, { path });
  }
  return error;
}

/** Writes every byte, however many calls it takes. */
export function writeFully(descriptor: number, data: Uint8Array, path: string): void {
  let written = 0;
  do {
    touch("write", path);
    written += writeSync(descriptor, data, written, data.length - written);
  } while (written < data.length);
}

function openNew(directory: string, mode: number, digits: number): { path: string; descriptor: number } {
  for (;;) {
    const path = join(directory, `.tmp.${randomHex(4).slice(0, digits)}`);
    touch("open", path);
    try {
      return { path, descriptor: openSync(path, NEW_FILE, mode) };
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
    }
  }
}

/**
 * Writes a new file `.tmp.<hex>` in `directory` and closes it. On any failure no such file is left.
 *
 * @param fill puts the content through the open descriptor.
 */
export function fillTemporary(
  directory: string,
  options: WriteOptions & { digits?: number },
  fill: (descriptor: number, path: string) => void,
): string {
  const { path, descriptor } = openNew(directory, options.mode ?? 0o644, options.digits ?? 8);
  try {
    try {
      // The umask can only have taken bits that others would need.
      if (options.mode !== undefined && (options.mode & 0o077) !== 0) fchmodSync(descriptor, options.mode);
      fill(descriptor, path);
      if (options.durable) {
        touch("fsync", path);
        fsyncSync(descriptor);
      }
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    dropTemporary(path);
    throw namePath(error, path);
  }
  return path;
}

/** Writes `data` to a new temporary file in `directory` and returns its path. */
export function writeTemporary(
  directory: string,
  data: string | Uint8Array,
  options: WriteOptions & { digits?: number } = {},
): string {
  const bytes = typeof data === "string" ? Buffer.from(data) : data;
  return fillTemporary(directory, options, (descriptor, path) => writeFully(descriptor, bytes, path));
}

/** Removes a temporary file of ours. A failure is let go: an orphan harms less than a hidden first error. */
export function dropTemporary(path: string): void {
  try {
    touch("unlink", path);
    unlinkSync(path);
  } catch {
    // Left for the sweep of orphans.
  }
}

/** Gives a finished file a second, final name; false when that name is taken. */
export function linkNew(temporary: string, path: string): boolean {
  try {
    retryTransient(() => {
      touch("link", path);
      linkSync(temporary, path);
    });
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** What a file system answers that cannot `fsync` a directory; it has nothing to lose by it. */
const NO_DIRECTORY_SYNC: ReadonlySet<string> = new Set(["EINVAL", "EISDIR", "EPERM", "ENOTSUP"]);

/** Makes a new or renamed entry of `directory` survive a power cut. */
export function syncDirectory(directory: string): void {
  touch("fsync", directory);
  const descriptor = openSync(directory, constants.O_RDONLY);
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if (!NO_DIRECTORY_SYNC.has(errnoOf(error) ?? "")) throw namePath(error, directory);
  } finally {
    closeSync(descriptor);
  }
}
