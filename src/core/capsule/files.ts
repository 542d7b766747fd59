import { join, sep } from "node:path";
import { failed, ok } from "../base/result.ts";
import type { Result } from "../base/result.ts";
import { listEntries, readHead } from "../fs/read-head.ts";
import type { ListedEntry } from "../fs/read-head.ts";
import { readRegularFile, statEntry } from "../fs/read.ts";
import type { ReadFailure } from "../fs/read.ts";
import { CapsuleDocument } from "./document.ts";
import type { RejectionReason, UnavailableReason } from "./reasons.ts";

/** No capsule that a person or an autosave writes is as large; what is larger is listed, not read. */
export const CAPSULE_BYTES = 1024 * 1024;
/**
 * What a capsule may still grow by after it was written, in bytes: by another status, a date, and twice the id of a
 * summary, which is at most a file's name with every character escaped.
 */
const CHANGE_BYTES = 2 * 1024;
/** What is written is no larger, so that all that happens to a capsule later fits as well. */
export const AUTHORED_BYTES = CAPSULE_BYTES - CHANGE_BYTES;
/** Enough for the front matter of nearly every capsule. */
const HEAD_BYTES = 4 * 1024;

/** The capsules directory of a memory root. */
export function capsulesDirectory(memoryRoot: string): string {
  return join(memoryRoot, "capsules");
}

/**
 * All candidates: every entry whose name ends in `.md` in any letter case, sorted by the bytes of their names.
 *
 * @returns or why there is none; a directory behind a symbolic link is not read, since a spend would write there.
 */
export function listCapsules(directory: string): Result<ListedEntry[], UnavailableReason> {
  try {
    const entry = statEntry(directory);
    if (entry === undefined) return failed("no-capsules-dir");
    if (!entry.isDirectory()) return failed("capsules-dir-unreadable");
    const entries = listEntries(directory).filter(({ name }) => name.toLowerCase().endsWith(".md"));
    return entries.length === 0 ? failed("no-capsules-on-disk") : ok(entries);
  } catch {
    return failed("capsules-dir-unreadable");
  }
}

const REASONS: Record<ReadFailure["kind"], RejectionReason> = {
  absent: "unreadable",
  unreadable: "unreadable",
  "not-a-regular-file": "not-a-regular-file",
  "too-large": "too-large",
};

/** A capsule file's bytes, or the reason why it has none for us. */
export type CapsuleBytes = Result<Buffer, RejectionReason>;

/** Reads a whole capsule: a regular file of at most 1 MiB; nothing else is opened. */
export function readCapsule(path: string): CapsuleBytes {
  const bytes = readRegularFile(path, { maximumBytes: CAPSULE_BYTES });
  return bytes.ok ? bytes : failed(REASONS[bytes.error.kind]);
}

/** One head at a time is looked at. */
let room: Buffer | undefined;

/**
 * Reads a listed capsule for judging: only its head, unless its front matter goes on behind that, or its state is
 * `active`, so that its values may stand in the body. The document must have been judged before the next one is
 * read.
 *
 * @returns undefined as document when the file has no front matter.
 */
export function readForJudging(
  directory: string,
  entry: ListedEntry,
): Result<CapsuleDocument | undefined, RejectionReason> {
  return readAsFarAs(directory, entry, (document) => document.text("status") !== "active");
}

/**
 * Reads a listed capsule for a list: only its head, unless what is listed of it stands behind that. As with
 * {@link readForJudging}, the document must have been asked before the next one is read.
 */
export function readForListing(
  directory: string,
  entry: ListedEntry,
): Result<CapsuleDocument | undefined, RejectionReason> {
  return readAsFarAs(
    directory,
    entry,
    (document) => document.text("status") !== "active" && document.text("objective") !== "",
  );
}

/** @param isEnough whether the head of a longer file has all that is needed. */
function readAsFarAs(
  directory: string,
  { name, regular }: ListedEntry,
  isEnough: (document: CapsuleDocument) => boolean,
): Result<CapsuleDocument | undefined, RejectionReason> {
  if (!regular) return failed("not-a-regular-file");
  // Plainly joined: both parts are clean, and this runs for every one of ten thousand files.
  const path = `${directory}${sep}${name}`;
  room ??= Buffer.allocUnsafeSlow(HEAD_BYTES);
  const head = readHead(path, room);
  if (!head.ok) return failed(REASONS[head.error.kind]);
  if (head.value.size > CAPSULE_BYTES) return failed("too-large");
  const document = CapsuleDocument.parse(room, head.value.filled);
  const whole = head.value.filled >= head.value.size;
  if (whole || (document !== undefined && isEnough(document))) return ok(document);
  const bytes = readCapsule(path);
  return bytes.ok ? ok(CapsuleDocument.parse(bytes.value)) : bytes;
}
