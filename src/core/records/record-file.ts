import { isUtf8 } from "node:buffer";
import type { Result } from "../base/result.ts";
import { failed, ok } from "../base/result.ts";
import { readRegularFile } from "../fs/read.ts";

/** No record is larger; a larger file is not read. */
export const RECORD_MAXIMUM_BYTES = 1024 * 1024;

/** A file that stands where a record should and is not one: reported, never an obstacle for the others. */
export interface SkippedFile {
  path: string;
  /** What is wrong, naming the field where there is one. */
  reason: string;
}

/**
 * Reads a record's text where there may be none: undefined when the file is absent. Otherwise it must be a
 * regular file of at most 1 MiB of valid UTF-8; links, devices and directories are refused without being
 * opened. The text comes without its byte order mark. Fails with the reason in one clause.
 */
export function readOptionalRecordText(path: string): Result<string | undefined, string> {
  const read = readRegularFile(path, { maximumBytes: RECORD_MAXIMUM_BYTES });
  if (!read.ok) return read.error.kind === "absent" ? ok(undefined) : failed(read.error.message);
  // Decoding would replace the bytes, and a record that was shown, resumed or rewritten would not be the one on disk.
  if (!isUtf8(read.value)) return failed("is not valid UTF-8");
  const text = read.value.toString("utf8");
  return ok(text.startsWith("\ufeff") ? text.slice(1) : text);
}

/** Like {@link readOptionalRecordText}, where an absent file is a failure too. */
export function readRecordText(path: string): Result<string, string> {
  const read = readOptionalRecordText(path);
  if (!read.ok) return read;
  return read.value === undefined ? failed("there is no such file") : ok(read.value);
}
