import { EXIT, MajordomusError } from "../base/error.ts";
import type { HeldLock } from "../fs/lock.ts";
import { readRegularFile } from "../fs/read.ts";
import { makeDirectory, writeAtomic } from "../fs/write.ts";
import { dirname } from "node:path";

const NEWLINE = 0x0a;

/**
 * The bytes of a file that several hands write; empty where there is none. Bytes, so that what is not text
 * stays as it is.
 *
 * @throws MajordomusError 10 for what is no regular file or too large: nobody writes over what nobody can read.
 */
export function readBytes(path: string, maximumBytes: number): Buffer {
  const bytes = readRegularFile(path, { maximumBytes });
  if (bytes.ok) return bytes.value;
  if (bytes.error.kind === "absent") return Buffer.alloc(0);
  throw new MajordomusError({
    code: "store.unreadable",
    exit: EXIT.finding,
    subject: path,
    message: bytes.error.message,
  });
}

/** Replaces the file whole, under the lock that guards it. */
export function replaceBytes(path: string, bytes: Uint8Array, lock: HeldLock): void {
  makeDirectory(dirname(path));
  lock.assertHeld();
  writeAtomic(path, bytes, { durable: true });
}

/** The bytes with a last newline; what is empty stays empty. */
export function wholeLines(bytes: Buffer): Buffer {
  return bytes.length === 0 || bytes.at(-1) === NEWLINE ? bytes : Buffer.concat([bytes, Buffer.from("\n")]);
}

/** The bytes with one line, counted from 1, replaced; the line's own end is kept. */
export function withLine(bytes: Buffer, line: number, text: string): Buffer {
  let start = 0;
  for (let number = 1; number < line; number += 1) start = bytes.indexOf(NEWLINE, start) + 1;
  const newline = bytes.indexOf(NEWLINE, start);
  const stop = newline < 0 ? bytes.length : newline;
  const carriage = stop > start && bytes[stop - 1] === 0x0d ? 1 : 0;
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(text), bytes.subarray(stop - carriage)]);
}
