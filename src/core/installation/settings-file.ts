import { lstatSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { EXIT, MajordomusError, reasonOf } from "../base/error.ts";
import { resolveLinkTarget } from "../fs/link-target.ts";
import { readRegularFile } from "../fs/read.ts";
import { placeOf, type JsonFault } from "./json-tree.ts";
import { checkSettings } from "./our-entries.ts";

/** A file that an installation edits, as it is on disk. */
export interface EditedFile {
  /** As people know it. */
  path: string;
  /** Where it is written: the end of its chain of links, or the path itself. */
  target: string;
  /** Undefined where there is none yet. */
  bytes: Buffer | undefined;
  /** Permission bits, of a file that exists. */
  mode: number | undefined;
}

const MAXIMUM_BYTES = 8 * 1024 * 1024;
const MARK = "\uFEFF";

/**
 * Reads a file that is to be edited. A link is followed and stays; whatever is not a regular file is refused.
 *
 * @throws MajordomusError 10 naming the path.
 */
export function readEdited(path: string): EditedFile {
  const target = targetOf(path);
  const read = readRegularFile(target, { maximumBytes: MAXIMUM_BYTES });
  if (read.ok) return { path, target, bytes: read.value, mode: statSync(target).mode & 0o777 };
  if (read.error.kind !== "absent") throw refusal(path, read.error.message);
  const obstacle = obstacleAbove(target);
  if (obstacle !== undefined) throw refusal(path, `${obstacle} is not a directory`);
  return { path, target, bytes: undefined, mode: undefined };
}

function targetOf(path: string): string {
  try {
    return resolveLinkTarget(path);
  } catch (error) {
    if (error instanceof MajordomusError) throw error;
    throw refusal(path, reasonOf(error), error);
  }
}

function obstacleAbove(path: string): string | undefined {
  for (let above = dirname(path); ; above = dirname(above)) {
    if (lstatSync(above, { throwIfNoEntry: false }) !== undefined) {
      return statSync(above, { throwIfNoEntry: false })?.isDirectory() === true ? undefined : above;
    }
    if (above === dirname(above)) return undefined;
  }
}

/** A settings file's text, judged to be one that hooks can be put into. */
export interface SettingsText {
  /** The byte order mark, or nothing. */
  mark: string;
  /** What follows it. */
  text: string;
}

/**
 * Decodes and judges the bytes of a settings file.
 *
 * @throws MajordomusError 10 naming file, line and column, where it is not strict JSON or hooks do not fit in.
 */
export function readSettings(path: string, bytes: Uint8Array): SettingsText {
  let whole: string;
  try {
    whole = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const lossy = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    throw faultIn(path, { ...placeOf(lossy, lossy.indexOf("\uFFFD")), message: "not UTF-8" });
  }
  const mark = whole.startsWith(MARK) ? MARK : "";
  const text = whole.slice(mark.length);
  const checked = checkSettings(text);
  if (!checked.ok) throw faultIn(path, checked.error);
  return { mark, text };
}

function faultIn(path: string, { line, column, message }: JsonFault): MajordomusError {
  return refusal(`${path}:${line}:${column}`, message);
}

function refusal(subject: string, message: string, cause?: unknown): MajordomusError {
  return new MajordomusError({
    code: "settings.unusable",
    exit: EXIT.finding,
    subject,
    message,
    remedy: "nothing was written; repair it, then try again",
    ...(cause !== undefined && { cause }),
  });
}
