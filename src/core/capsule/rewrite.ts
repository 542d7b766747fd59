import { isDeepStrictEqual } from "node:util";
import { statEntry, stampOf } from "../fs/read.ts";
import type { HeldLock } from "../fs/lock.ts";
import { writeAtomic } from "../fs/write.ts";
import { failed, ok } from "../base/result.ts";
import type { Result } from "../base/result.ts";
import { CapsuleDocument } from "./document.ts";
import { CAPSULE_BYTES, readCapsule } from "./files.ts";

/** One front matter value to put in another's place; a plain ASCII token or a JSON string. */
export interface Replacement {
  key: string;
  token: string;
}

/** A changed capsule, unless nobody would read it any more: then it stays as it is, and the reason says what to do. */
function readable(changed: Buffer): Result<Buffer, string> {
  const excess = changed.length - CAPSULE_BYTES;
  return excess <= 0
    ? ok(changed)
    : failed(`would be ${excess} byte(s) larger than the ${CAPSULE_BYTES} of a capsule: shorten its text`);
}

/** Replaces the tokens of keys that stand in the front matter; every other byte stays as it is. */
export function replaceTokens(bytes: Buffer, replacements: readonly Replacement[]): Result<Buffer, string> {
  let current = bytes;
  for (const { key, token } of replacements) {
    const document = CapsuleDocument.parse(current);
    const span = document?.tokenSpan(key);
    if (document === undefined || span === undefined) return failed(`has no ${key} to replace`);
    // An empty value has no blank of its own behind the colon.
    const gap = span.start === span.end && current[span.start - 1] === 0x3a ? " " : "";
    current = document.replaced(span, `${gap}${token}`);
  }
  return readable(current);
}

/** Sets a field: its token where it stands, else a new line at the end of the front matter. */
export function setField(bytes: Buffer, { key, token }: Replacement): Result<Buffer, string> {
  const document = CapsuleDocument.parse(bytes);
  if (document === undefined) return failed("has no front matter");
  if (document.scalar(key) !== undefined) return replaceTokens(bytes, [{ key, token }]);
  const { end } = document.place;
  const newline = bytes[end] === 0x0d ? "\r\n" : "\n";
  return readable(document.replaced({ start: end, end }, `${newline}${key}: ${token}`));
}

/**
 * Puts other bytes in a capsule's place: durably, whole or not at all, with the mode that it had, and only while it
 * is still the file that was read. A link that was put there meanwhile is replaced, never followed.
 *
 * @param before the bytes that `after` was made from.
 * @param lock the capsule's lock, which the caller holds.
 * @returns or why it was left alone.
 */
export function rewriteCapsule(
  path: string,
  before: Buffer,
  after: Buffer,
  lock: HeldLock,
): Result<undefined, string> {
  const stamp = stampOf(path);
  const current = readCapsule(path);
  if (!current.ok || !current.value.equals(before)) return failed("was changed while it was being rewritten");
  const mode = statEntry(path)?.mode;
  lock.assertHeld();
  if (!isDeepStrictEqual(stampOf(path), stamp)) return failed("was changed while it was being rewritten");
  writeAtomic(path, after, { durable: true, ...(mode === undefined ? {} : { mode: Number(mode & 0o777n) }) });
  return ok(undefined);
}

/** Whether a capsule on disk now has this status, by the same reader that selects. */
export function hasStatus(path: string, status: string): boolean {
  const bytes = readCapsule(path);
  return bytes.ok && CapsuleDocument.parse(bytes.value)?.text("status") === status;
}
