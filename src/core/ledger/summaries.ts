import { sha256Hex } from "../base/id.ts";
import { stampOf } from "../fs/read.ts";
import type { FileStamp } from "../fs/read.ts";
import { scanLines } from "../fs/scan.ts";
import { MAXIMUM_LINE_BYTES } from "./read.ts";
import { LedgerCounter } from "./tally.ts";
import type { LedgerTally } from "./tally.ts";

/** Where a reading stopped, and what tells that the bytes before it are still the ones that were read. */
interface Cursor extends FileStamp {
  /** The byte after the last complete line. */
  offset: number;
  lastLine: number;
  firstHash: string;
  lastHash: string;
}

/** All episodes of one ledger file. */
export interface LedgerSummaries extends LedgerTally {
  /** Bytes after the last newline. */
  tornBytes: number;
  /** Undefined while there is no file. */
  cursor: Cursor | undefined;
}

/**
 * Reads every episode of a ledger in one pass. With the summaries of an earlier reading only the lines since
 * then are read, and nothing at all when the file did not change; when it was replaced or rewritten, it is
 * read from its start. The earlier summaries are not changed.
 */
export function summariseLedger(path: string, previous?: LedgerSummaries): LedgerSummaries {
  const stamp = stampOf(path);
  if (stamp === undefined) return { ...new LedgerCounter().result(), tornBytes: 0, cursor: undefined };
  const cursor = previous?.cursor;
  if (previous !== undefined && cursor !== undefined) {
    if (isUntouched(cursor, stamp)) return previous;
    if (continues(path, cursor, stamp)) return readFrom(path, stamp, previous, cursor);
  }
  return readFrom(path, stamp, undefined, undefined);
}

function readFrom(
  path: string,
  stamp: FileStamp,
  previous: LedgerTally | undefined,
  cursor: Cursor | undefined,
): LedgerSummaries {
  const counter = new LedgerCounter(previous);
  let lastLine = cursor?.lastLine ?? 0;
  const end = scanLines(
    path,
    cursor?.offset ?? 0,
    (buffer, start, stop, offset) => {
      lastLine = offset;
      counter.count(buffer, start, stop);
    },
    {
      maximumLineBytes: MAXIMUM_LINE_BYTES,
      onOversized: (offset) => {
        lastLine = offset;
        counter.countOversized();
      },
    },
  );
  const firstHash = cursor?.firstHash || lineHash(path, 0);
  const lastHash = lineHash(path, lastLine);
  return {
    ...counter.result(),
    tornBytes: end.tornBytes,
    cursor: { ...stamp, size: end.size, offset: end.consumed, lastLine, firstHash, lastHash },
  };
}

function isUntouched(cursor: Cursor, stamp: FileStamp): boolean {
  return cursor.inode === stamp.inode && cursor.size === stamp.size && cursor.modified === stamp.modified;
}

/** Whether the file still begins, and still goes on at the cursor, with what was read there. */
function continues(path: string, cursor: Cursor, stamp: FileStamp): boolean {
  if (cursor.inode !== stamp.inode || stamp.size < cursor.offset) return false;
  return lineHash(path, 0) === cursor.firstHash && lineHash(path, cursor.lastLine) === cursor.lastHash;
}

/** The hash of the complete line that begins at `offset`; empty where there is none. */
function lineHash(path: string, offset: number): string {
  let hash = "";
  scanLines(
    path,
    offset,
    (buffer, start, end) => {
      hash = sha256Hex(buffer.subarray(start, end));
    },
    { to: offset + 1, chunkBytes: 4096, maximumLineBytes: MAXIMUM_LINE_BYTES },
  );
  return hash;
}
