import { isUtf8 } from "node:buffer";
import type { Result } from "../base/result.ts";
import { failed, ok } from "../base/result.ts";
import type { ReadFailure } from "../fs/read.ts";
import { readRegularFile } from "../fs/read.ts";

/** No record is larger; a larger file is not read. */
export const RECORD_MAXIMUM_BYTES = 1024 * 1024;

/** A file that stands where a record should and is not one: reported, never an obstacle for the others. */
export interface SkippedFile {
  path: string;
  /** What is wrong, naming the field where there is one. */
  reason: string;
}

const READ_REASONS: Readonly<Record<ReadFailure["kind"], string>> = {
  absent: "absent",
  "not-a-regular-file": "not a regular file",
  "too-large": `larger than ${RECORD_MAXIMUM_BYTES} bytes`,
  unreadable: "unreadable",
};

/**
 * Reads a record's text: a regular file of at most 1 MiB of valid UTF-8, without its byte order mark.
 * Links, devices and directories are refused without being opened. Fails with the reason in one clause.
 */
export function readRecordText(path: string): Result<string, string> {
  const read = readRegularFile(path, { maximumBytes: RECORD_MAXIMUM_BYTES });
  if (!read.ok) return failed(READ_REASONS[read.error.kind]);
  // Decoding would replace the bytes, and a record that was shown, resumed or rewritten would not be the one on disk.
  if (!isUtf8(read.value)) return failed("not valid UTF-8");
  const text = read.value.toString("utf8");
  return ok(text.startsWith("\ufeff") ? text.slice(1) : text);
}
