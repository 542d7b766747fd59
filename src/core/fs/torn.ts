import { readSync } from "node:fs";
import { dirname } from "node:path";
import { EXIT, MajordomusError } from "../base/error.ts";
import { touch } from "./fault.ts";
import { dropTemporary, fillTemporary, linkNew, writeFully } from "./temporary.ts";

/** The bytes after the last newline of a log, and the file that keeps them. */
export interface TornTail {
  offset: number;
  bytes: number;
  keptAt: string;
}

interface OpenLog {
  descriptor: number;
  path: string;
  size: number;
}

const CHUNK = 64 * 1024;
const KEEP_ATTEMPTS = 100;

/** The offset of the last newline of an open log, or -1. Reads backwards, 64 KiB at a time. */
export function lastNewlineBefore({ descriptor, path, size }: OpenLog): number {
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK, size));
  let end = size;
  while (end > 0) {
    const start = Math.max(0, end - chunk.length);
    touch("read", path);
    const count = readSync(descriptor, chunk, 0, end - start, start);
    const found = chunk.subarray(0, count).lastIndexOf(0x0a);
    if (found !== -1) return start + found;
    end = start;
  }
  return -1;
}

/**
 * Copies what stands from `offset` on to a new file, private, under the first name of `nameFor` (attempts
 * from 1) that is free. The log itself is not changed.
 *
 * @throws MajordomusError 13 when a hundred names are taken.
 */
export function keepTornTail(log: OpenLog, offset: number, nameFor: (attempt: number) => string): TornTail {
  const bytes = log.size - offset;
  const temporary = fillTemporary(dirname(nameFor(1)), { mode: 0o600 }, (descriptor, path) => {
    copyRange(log, offset, descriptor, path);
  });
  try {
    for (let attempt = 1; attempt <= KEEP_ATTEMPTS; attempt += 1) {
      const keptAt = nameFor(attempt);
      if (linkNew(temporary, keptAt)) return { offset, bytes, keptAt };
    }
  } finally {
    dropTemporary(temporary);
  }
  throw new MajordomusError({
    code: "torn.names_taken",
    exit: EXIT.internal,
    subject: log.path,
    message: "its torn last line cannot be kept: every name for it is taken",
    remedy: "move the kept torn lines away",
  });
}

function copyRange(log: OpenLog, from: number, into: number, path: string): void {
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK, log.size - from));
  for (let position = from; position < log.size;) {
    touch("read", log.path);
    const count = readSync(log.descriptor, chunk, 0, Math.min(chunk.length, log.size - position), position);
    if (count === 0) return;
    writeFully(into, chunk.subarray(0, count), path);
    position += count;
  }
}
