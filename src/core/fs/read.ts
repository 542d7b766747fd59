import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  readdirSync,
  type BigIntStats,
  type Stats,
} from "node:fs";
import { compareBytewise } from "../base/bytewise.ts";
import { EXIT, MajordomusError, errnoOf, reasonOf } from "../base/error.ts";
import { failed, ok, type Result } from "../base/result.ts";
import { touch } from "./fault.ts";

export interface ReadFailure {
  kind: "absent" | "not-a-regular-file" | "too-large" | "unreadable";
  path: string;
  message: string;
}

const ABSENT: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR"]);
const IRREGULAR: ReadonlySet<string> = new Set(["ELOOP", "ENXIO", "EISDIR"]);

/** Read-only; a link is not followed, a FIFO does not block, a terminal does not become ours. */
export const SAFE_FLAGS =
  constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/** What a failed read of a path is, in the words of a reader. */
export function failureOf(error: unknown, path: string): ReadFailure {
  const errno = errnoOf(error) ?? "";
  if (ABSENT.has(errno)) return { kind: "absent", path, message: "there is no such file" };
  if (IRREGULAR.has(errno)) return irregular(path);
  return { kind: "unreadable", path, message: withoutCall(reasonOf(error)) };
}

/** The system's words without its call and path: the message goes into records that other machines read. */
function withoutCall(reason: string): string {
  return reason.replace(/, [a-z]+(?: '.*')?$/su, "");
}

/** The failure of something that is no regular file. */
export function irregular(path: string, stats?: Stats): ReadFailure {
  return { kind: "not-a-regular-file", path, message: `is ${kindOf(stats)}, not a regular file` };
}

function kindOf(stats: Stats | undefined): string {
  if (stats?.isSymbolicLink()) return "a symbolic link";
  if (stats?.isDirectory()) return "a directory";
  if (stats?.isFIFO()) return "a FIFO";
  if (stats?.isSocket()) return "a socket";
  return stats ? "a device" : "something else";
}

/** A regular file that is open for reading; the caller closes the descriptor. */
export interface OpenFile {
  descriptor: number;
  size: number;
}

/**
 * Opens a regular file for reading. What is not one is refused before it is opened (opening a FIFO wakes
 * its writer, opening a device may move it) and again after, in case it was swapped in between.
 */
export function openRegularFile(path: string): Result<OpenFile, ReadFailure> {
  let descriptor: number;
  try {
    touch("open", path);
    const before = lstatSync(path);
    if (!before.isFile()) return failed(irregular(path, before));
    descriptor = openSync(path, SAFE_FLAGS);
  } catch (error) {
    return failed(failureOf(error, path));
  }
  const stats = fstatSync(descriptor);
  if (stats.isFile()) return ok({ descriptor, size: stats.size });
  closeSync(descriptor);
  return failed(irregular(path, stats));
}

/**
 * Reads a whole regular file of at most `maximumBytes`. Never follows a final symbolic link and never
 * blocks on a FIFO or a device.
 */
export function readRegularFile(
  path: string,
  options: { maximumBytes: number },
): Result<Buffer, ReadFailure> {
  const file = openRegularFile(path);
  if (!file.ok) return file;
  try {
    return readOpenFile(file.value, path, options.maximumBytes);
  } catch (error) {
    return failed(failureOf(error, path));
  } finally {
    closeSync(file.value.descriptor);
  }
}

function readOpenFile(file: OpenFile, path: string, maximumBytes: number): Result<Buffer, ReadFailure> {
  const tooLarge = failed<ReadFailure>({
    kind: "too-large",
    path,
    message: `is larger than ${maximumBytes} bytes`,
  });
  if (file.size > maximumBytes) return tooLarge;
  // One byte more than expected, so that the end is seen even where the size is not told (as in /proc).
  let buffer: Buffer = Buffer.allocUnsafe(Math.min(file.size, maximumBytes) + 1);
  let filled = 0;
  for (;;) {
    touch("read", path);
    const count = readSync(file.descriptor, buffer, filled, buffer.length - filled, null);
    if (count === 0) return ok(buffer.subarray(0, filled));
    filled += count;
    if (filled > maximumBytes) return tooLarge;
    if (filled === buffer.length) buffer = grown(buffer, maximumBytes + 1);
  }
}

function grown(buffer: Buffer, limit: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.min(limit, Math.max(buffer.length * 2, 4096)));
  buffer.copy(larger);
  return larger;
}

/** Reads a regular file as UTF-8: a leading byte order mark is dropped, invalid bytes become U+FFFD. */
export function readText(path: string, options: { maximumBytes: number }): Result<string, ReadFailure> {
  const bytes = readRegularFile(path, options);
  if (!bytes.ok) return bytes;
  const text = bytes.value.toString("utf8");
  return ok(text.startsWith("\uFEFF") ? text.slice(1) : text);
}

/**
 * The names in a directory, sorted by their bytes; none when it is absent or not a directory.
 *
 * @throws MajordomusError 13 when it is there and cannot be listed: an empty list would be a lie.
 */
export function listDirectory(path: string): string[] {
  try {
    touch("read", path);
    // Absence is common, and an exception dearer than a look.
    if (!isPresent(path)) return [];
    return readdirSync(path).toSorted(compareBytewise);
  } catch (error) {
    const errno = errnoOf(error) ?? "";
    if (ABSENT.has(errno) || errno === "ELOOP") return [];
    throw new MajordomusError({
      code: "directory.unreadable",
      exit: EXIT.internal,
      subject: path,
      message: `cannot be listed (${errno || reasonOf(error)})`,
      remedy: "make the directory readable for this user",
      cause: error,
    });
  }
}

/** What tells that a file is still the one that was read. */
export interface FileStamp {
  size: number;
  /** Milliseconds since the epoch, with a fraction where the file system keeps one. */
  modified: number;
  inode: string;
}

/** What a path itself is (a link is not followed); undefined when it is absent, also below a file. */
export function statEntry(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (ABSENT.has(errnoOf(error) ?? "")) return undefined;
    throw error;
  }
}

/** Whether anything stands at a path itself (a link is not followed). Cheaper than its stamp. */
export function isPresent(path: string): boolean {
  return sizeOf(path) !== undefined;
}

/** The size in bytes of what stands at a path itself (a link is not followed); undefined when it is absent. */
export function sizeOf(path: string): number | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.size;
  } catch (error) {
    if (ABSENT.has(errnoOf(error) ?? "")) return undefined;
    throw error;
  }
}

/** The stamp of a path itself (a link is not followed); undefined when it is absent. */
export function stampOf(path: string): FileStamp | undefined {
  const stats = statEntry(path);
  if (!stats) return undefined;
  return {
    size: Number(stats.size),
    modified: Number(stats.mtimeMs) + Number(stats.mtimeNs % 1_000_000n) / 1e6,
    inode: `${stats.dev}:${stats.ino}`,
  };
}
