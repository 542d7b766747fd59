import { closeSync, openSync, readSync, readdirSync, type Dirent } from "node:fs";
import { join, sep } from "node:path";
import { errnoOf } from "../base/error.ts";
import { touch } from "./fault.ts";
import { failureOf, readRegularFile, SAFE_FLAGS } from "./read.ts";

/** One file of a batch: `buffer[start, end)`. */
export interface BatchedFile {
  path: string;
  start: number;
  end: number;
}

/** Several whole files, one behind the other. The buffer is used again after the call. */
export type VisitBatch = (buffer: Buffer, files: readonly BatchedFile[]) => void;

export interface BatchOptions {
  /** Which names are meant. */
  accepts: (name: string) => boolean;
  /** A larger file is skipped and reported. */
  maximumBytes: number;
  onSkipped: (path: string, reason: string) => void;
}

/** Small enough to stay in the processor's cache: larger ones measured slower. */
const ROOM = 64 * 1024;
/** Less room than this is not worth a read that may have to be done again. */
const LEAST = 16 * 1024;

/**
 * Reads every regular file of a directory, several at a time and in the directory's own order: for looking
 * through thousands of small files, at three system calls each. Links, devices and FIFOs are skipped and
 * reported, never opened. An absent directory has no files.
 *
 * @returns how many files were read.
 */
export function readBatches(directory: string, visit: VisitBatch, options: BatchOptions): number {
  const room = Buffer.allocUnsafeSlow(ROOM);
  const files: BatchedFile[] = [];
  let used = 0;
  let count = 0;
  const flush = (): void => {
    if (files.length > 0) visit(room, files);
    files.length = 0;
    used = 0;
  };
  // To join each name would look through the whole path as often.
  const within = join(directory, sep);
  for (const entry of entriesOf(directory)) {
    if (!options.accepts(entry.name)) continue;
    const path = within + entry.name;
    if (!entry.isFile()) {
      options.onSkipped(path, "is not a regular file");
      continue;
    }
    if (ROOM - used < LEAST) flush();
    let bytes = readInto(room, used, path, options);
    if (bytes === ROOM - used && used > 0) {
      flush();
      bytes = readInto(room, 0, path, options);
    }
    if (bytes < 0) continue;
    count += 1;
    if (bytes === ROOM) visitLarge(path, visit, options);
    else {
      files.push({ path, start: used, end: used + bytes });
      used += bytes;
    }
  }
  flush();
  return count;
}

function entriesOf(directory: string): Dirent[] {
  try {
    touch("read", directory);
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "")) return [];
    throw error;
  }
}

/** @returns how many bytes stand in the room from `at` on; -1 for a file that was skipped. */
function readInto(room: Buffer, at: number, path: string, options: BatchOptions): number {
  let descriptor: number | undefined;
  try {
    touch("open", path);
    descriptor = openSync(path, SAFE_FLAGS);
    return readSync(descriptor, room, at, room.length - at, null);
  } catch (error) {
    options.onSkipped(path, failureOf(error, path).message);
    return -1;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function visitLarge(path: string, visit: VisitBatch, options: BatchOptions): void {
  const whole = readRegularFile(path, { maximumBytes: options.maximumBytes });
  if (whole.ok) visit(whole.value, [{ path, start: 0, end: whole.value.length }]);
  else options.onSkipped(path, whole.error.message);
}
