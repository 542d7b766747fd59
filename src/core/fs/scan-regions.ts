import { closeSync, readSync } from "node:fs";
import { EXIT, MajordomusError } from "../base/error.ts";
import { touch } from "./fault.ts";
import { openRegularFile, type OpenFile } from "./read.ts";

/** How far a scan came. `consumed` is the byte after the last complete line: the next scan's start. */
export interface ScanEnd {
  consumed: number;
  size: number;
  /** Bytes after the last newline: a line that is still being written, or was torn. */
  tornBytes: number;
}

export interface ScanOptions {
  /** Only lines that begin before this offset. @default the size of the file */
  to?: number;
  /** A longer line is skipped and reported. @default 64 MiB */
  maximumLineBytes?: number;
  /** Told of each line that was skipped for its length: its offset, and its bytes without the newline. */
  onOversized?: (offset: number, bytes: number) => void;
  /** How much is read at once. @default 2 MiB, in a buffer that is used again */
  chunkBytes?: number;
}

/**
 * Complete lines, each with its newline: `buffer[0, end)`, which stand at `offset` in the file. The buffer
 * is used again after the call.
 */
export type VisitRegion = (buffer: Buffer, end: number, offset: number) => void;

export const DEFAULT_LINE_BYTES = 64 * 1024 * 1024;

const CHUNK = 256 * 1024;
const NEWLINE = 0x0a;

/** One chunk for every scan of this thread; a scan inside a scan brings its own. */
let spare: Buffer | undefined;

/**
 * Reads a log from `from` on in chunks and hands on regions of complete lines. A line that is longer than
 * `maximumLineBytes` and than the chunk is skipped here and reported. An absent file has nothing to visit.
 *
 * @throws MajordomusError 13 when the path is not a regular file or cannot be read.
 */
export function scanRegions(
  path: string,
  from: number,
  visit: VisitRegion,
  options: ScanOptions = {},
): ScanEnd {
  const file = openRegularFile(path);
  if (!file.ok) {
    if (file.error.kind === "absent") return { consumed: 0, size: 0, tornBytes: 0 };
    throw new MajordomusError({
      code: `scan.${file.error.kind}`,
      exit: EXIT.internal,
      subject: path,
      message: file.error.message,
    });
  }
  const chunk = options.chunkBytes ? Buffer.allocUnsafe(options.chunkBytes) : borrowChunk();
  try {
    return scanFile({ ...file.value, path }, chunk, from, visit, options);
  } finally {
    if (!options.chunkBytes) spare = chunk;
    closeSync(file.value.descriptor);
  }
}

function borrowChunk(): Buffer {
  const chunk = spare ?? Buffer.allocUnsafeSlow(CHUNK);
  spare = undefined;
  return chunk;
}

interface OpenLog extends OpenFile {
  path: string;
}

function scanFile(
  log: OpenLog,
  chunk: Buffer,
  from: number,
  visit: VisitRegion,
  options: ScanOptions,
): ScanEnd {
  const maximum = options.maximumLineBytes ?? DEFAULT_LINE_BYTES;
  // What is written after the scan began is the next scan's.
  const to = Math.min(options.to ?? log.size, log.size);
  let { size } = log;
  let buffer = chunk;
  let consumed = from;
  let filled = 0;
  while (consumed < to) {
    const position = consumed + filled;
    const count = readAt(log, buffer, filled, position);
    if (count === 0) {
      // Either the end that we knew, or the file was cut meanwhile.
      size = position;
      break;
    }
    filled += count;
    const end = regionEnd(buffer.subarray(0, filled), to - consumed);
    if (end > 0) {
      visit(buffer, end, consumed);
      buffer.copyWithin(0, end, filled);
      consumed += end;
      filled -= end;
    } else if (filled > maximum) {
      const newline = findNewline(log, buffer, consumed + filled);
      if (newline === -1) break;
      options.onOversized?.(consumed, newline - consumed);
      consumed = newline + 1;
      filled = 0;
    } else if (filled === buffer.length) {
      buffer = Buffer.concat([buffer], Math.min(buffer.length * 2, maximum + 1));
    }
  }
  return { consumed, size, tornBytes: consumed < to ? size - consumed : 0 };
}

function readAt(log: OpenLog, buffer: Buffer, into: number, position: number): number {
  const wanted = Math.min(buffer.length - into, log.size - position);
  if (wanted <= 0) return 0;
  touch("read", log.path);
  return readSync(log.descriptor, buffer, into, wanted, position);
}

/** Where the last complete line ends that begins before `limit`; 0 when none does. */
function regionEnd(bytes: Buffer, limit: number): number {
  const last = bytes.lastIndexOf(NEWLINE) + 1;
  return last <= limit ? last : bytes.indexOf(NEWLINE, limit - 1) + 1;
}

/** The offset of the first newline at or after `from`, or -1. Overwrites the buffer. */
function findNewline(log: OpenLog, buffer: Buffer, from: number): number {
  for (let position = from; ;) {
    const count = readAt(log, buffer, 0, position);
    if (count === 0) return -1;
    const found = buffer.subarray(0, count).indexOf(NEWLINE);
    if (found !== -1) return position + found;
    position += count;
  }
}
