import { closeSync, readSync } from "node:fs";
import { sha256Hex } from "../../base/id.ts";
import { touch } from "../../fs/fault.ts";
import { openRegularFile, stampOf } from "../../fs/read.ts";
import { scanLines } from "../../fs/scan.ts";
import type { Delta, DeltaCollector } from "./delta.ts";

/** How much is read before the time is looked at. */
const STRETCH_BYTES = 4 * 1024 * 1024;
/** A longer row is a tool's result; no person writes one. */
const LONGEST_ROW = 8 * 1024 * 1024;
/** Bytes before the cursor by which the transcript is known again. */
const TAIL_BYTES = 256;

/** Without one of these a row tells nothing, and is not parsed. */
const TELLING = ['"user"', '"assistant"', '"queued_command"'].map((text) => Buffer.from(text));

export interface TranscriptReading {
  delta: Delta;
  /** The byte behind the last whole row that was taken: a half-written one is taken when it is whole. */
  offset: number;
  /** Time ran out before the end was reached. */
  more: boolean;
}

/**
 * Reads the new part of a transcript, whole rows only, and never more of it into memory than one row. A row that is
 * no JSON, or larger than 8 MiB, is passed over.
 *
 * @param mayGoOn asked between stretches.
 * @throws MajordomusError 13 when it is no regular file.
 */
export function readDelta(
  path: string,
  from: number,
  mayGoOn: () => boolean,
  collector: DeltaCollector,
): TranscriptReading {
  const size = stampOf(path)?.size ?? 0;
  let offset = from;
  for (;;) {
    const to = Math.min(size, offset + STRETCH_BYTES);
    const end = scanLines(
      path,
      offset,
      (buffer, start, finish) => takeRow(buffer, start, finish, collector),
      { to, maximumLineBytes: LONGEST_ROW },
    );
    const stuck = end.consumed <= offset;
    offset = Math.max(offset, end.consumed);
    if (stuck || offset >= size) return { delta: collector.delta(), offset, more: false };
    if (!mayGoOn()) return { delta: collector.delta(), offset, more: true };
  }
}

function takeRow(buffer: Buffer, start: number, end: number, collector: DeltaCollector): void {
  const row = buffer.subarray(start, end);
  if (!TELLING.some((text) => row.includes(text))) return;
  try {
    collector.take(JSON.parse(row.toString("utf8").replace(/^\ufeff/, "")));
  } catch {
    // A row that is no JSON is nobody's words.
  }
}

/** A mark of the bytes before an offset: the same offset in another file, or in one written anew, has another. */
export function tailMark(path: string, offset: number): string {
  const length = Math.min(TAIL_BYTES, offset);
  if (length === 0) return "";
  const file = openRegularFile(path);
  if (!file.ok) return "";
  try {
    const bytes = Buffer.alloc(length);
    touch("read", path);
    const count = readSync(file.value.descriptor, bytes, 0, length, offset - length);
    return sha256Hex(bytes.subarray(0, count)).slice(0, 16);
  } finally {
    closeSync(file.value.descriptor);
  }
}
