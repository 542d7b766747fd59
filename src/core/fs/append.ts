import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { EXIT, MajordomusError } from "../base/error.ts";
import { touch } from "./fault.ts";
import type { HeldLock } from "./lock.ts";
import { sizeOf } from "./read.ts";
import { namePath, syncDirectory } from "./temporary.ts";
import { keepTornTail, lastNewlineBefore, type TornTail } from "./torn.ts";

export interface AppendOptions {
  /** `fsync` after the write. @default false */
  durable?: boolean;
  /** Of a file that this call makes. @default 0o644 less the umask */
  mode?: number;
  /** Asked just before each change whether it is still ours. */
  lock?: HeldLock;
  /** Where a torn last line is to be kept, by attempt from 1. Only for a caller that holds the lock. */
  keepTorn?: (attempt: number) => string;
  /** Told just before the write where its first byte will stand; what it throws keeps the lines from being written. */
  announce?: (offset: number) => void;
}

export interface AppendResult {
  /** Where the first byte of the first new line stands. */
  offset: number;
  /** The size afterwards. Both are exact under a lock, and else as seen just before the write. */
  size: number;
  torn?: { offset: number; bytes: number; keptAt: string };
}

// O_NONBLOCK, so that opening a FIFO returns; O_NOFOLLOW, so that a planted link leads nowhere.
const APPEND =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const NEWLINE = 0x0a;

/**
 * Appends whole lines by one write, so that nothing of ours can stand inside them.
 *
 * A torn last line never harms what follows: with `keepTorn` its bytes are kept aside and cut off first,
 * without it the new lines begin on a fresh line. A write that fails or falls short is taken back.
 *
 * @throws MajordomusError 13 for a line with a newline in it, a path that is no regular file, or a short
 * write; LockLost; or the errno error. Nothing was appended then.
 */
export function appendLines(
  path: string,
  lines: readonly string[],
  options: AppendOptions = {},
): AppendResult {
  const text = joined(lines, path);
  touch("open", path);
  const descriptor = openSync(path, APPEND, options.mode ?? 0o644);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw refusal("append.not_regular", path, "is not a regular file");
    const tail: Tail = { descriptor, path, size: stats.size };
    if (text === "") return { offset: tail.size, size: tail.size };
    const torn = isTorn(tail);
    const kept = torn && options.keepTorn ? repair(tail, options.keepTorn, options.lock) : undefined;
    const bytes = Buffer.from(torn && !kept ? `\n${text}` : text);
    const offset = tail.size + (torn && !kept ? 1 : 0);
    options.announce?.(offset);
    options.lock?.assertHeld();
    writeOnce(tail, bytes, options.durable ?? false);
    return { offset, size: tail.size + bytes.length, ...(kept && { torn: kept }) };
  } catch (error) {
    throw namePath(error, path);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Brings a write of these lines to its end that was killed within it: what is missing behind the bytes that
 * stand at `offset` is appended. For a caller that holds the log's lock.
 *
 * @returns whether the lines stand there whole. Nothing is written where other bytes stand, or none.
 * @throws LockLost, or the errno error; what stood before stands then.
 */
export function completeLines(
  path: string,
  lines: readonly string[],
  offset: number,
  lock: HeldLock,
): boolean {
  const bytes = Buffer.from(joined(lines, path));
  touch("open", path);
  const descriptor = openSync(path, APPEND & ~constants.O_CREAT);
  try {
    const { size } = fstatSync(descriptor);
    const begun = Buffer.alloc(Math.max(0, Math.min(bytes.length, size - offset)));
    touch("read", path);
    const count = readSync(descriptor, begun, 0, begun.length, offset);
    if (count === 0 || !bytes.subarray(0, count).equals(begun.subarray(0, count))) return false;
    lock.assertHeld();
    if (count < bytes.length) writeOnce({ descriptor, path, size }, bytes.subarray(count), true);
    return true;
  } catch (error) {
    throw namePath(error, path);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Takes lines back that were just appended and may not stand: what belongs to them could not be written. For a caller
 * that has held the log's lock since; what somebody else put behind them keeps them there.
 *
 * @throws LockLost, or the errno error: the lines stand then.
 */
export function takeBackLines(path: string, { offset, size }: AppendResult, lock: HeldLock): void {
  lock.assertHeld();
  if (sizeOf(path) !== size) return;
  touch("truncate", path);
  truncateSync(path, offset);
}

/** An open log and the size at which ours begins. */
interface Tail {
  descriptor: number;
  path: string;
  size: number;
}

function refusal(code: string, path: string, message: string): MajordomusError {
  return new MajordomusError({ code, exit: EXIT.internal, subject: path, message });
}

function joined(lines: readonly string[], path: string): string {
  if (lines.some((line) => line.includes("\n"))) {
    throw refusal("append.newline", path, "a line to append has a newline in it");
  }
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

const lastByte = Buffer.alloc(1);

function isTorn({ descriptor, path, size }: Tail): boolean {
  if (size === 0) return false;
  touch("read", path);
  return readSync(descriptor, lastByte, 0, 1, size - 1) === 1 && lastByte[0] !== NEWLINE;
}

function repair(tail: Tail, keepTorn: (attempt: number) => string, lock: HeldLock | undefined): TornTail {
  const kept = keepTornTail(tail, lastNewlineBefore(tail) + 1, keepTorn);
  lock?.assertHeld();
  touch("truncate", tail.path);
  ftruncateSync(tail.descriptor, kept.offset);
  tail.size = kept.offset;
  return kept;
}

function writeOnce(tail: Tail, bytes: Buffer, durable: boolean): void {
  const { descriptor, path } = tail;
  touch("write", path);
  const written = writeSync(descriptor, bytes);
  if (written < bytes.length) {
    takeBack(tail, written);
    throw refusal("append.short", path, `only ${written} of ${bytes.length} bytes could be written`);
  }
  if (!durable) return;
  try {
    touch("fsync", path);
    fsyncSync(descriptor);
    if (tail.size === 0) syncDirectory(dirname(path));
  } catch (error) {
    takeBack(tail, written);
    throw error;
  }
}

/** Cuts our bytes off again, but only while they are certainly the last ones. */
function takeBack({ descriptor, path, size }: Tail, written: number): void {
  if (fstatSync(descriptor).size !== size + written) return;
  touch("truncate", path);
  ftruncateSync(descriptor, size);
}
