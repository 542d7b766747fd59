import { lutimesSync, mkdirSync, renameSync, statSync, symlinkSync, unlinkSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { EXIT, MajordomusError, errnoOf } from "../base/error.ts";
import { touch } from "./fault.ts";
import { retryTransient } from "./pause.ts";
import { readRegularFile, statEntry } from "./read.ts";
import { dropTemporary, linkNew, syncDirectory, writeTemporary, type WriteOptions } from "./temporary.ts";

export type { WriteOptions } from "./temporary.ts";

/** Renames a file over another; a failure that may pass is outlasted. */
export function renameOver(from: string, to: string): void {
  retryTransient(() => {
    touch("rename", to);
    renameSync(from, to);
  });
}

/**
 * Replaces a file whole: a temporary file beside it, then a rename, which replaces a link and does not
 * follow it. A rename that fails with EPERM, EACCES or EBUSY is tried again for about 0.4 s.
 *
 * @throws the errno error; no temporary file is left, and the previous version stands (unless it was the last
 *   step of a durable write that failed, the sync of the directory: then the new one does).
 */
export function writeAtomic(path: string, data: string | Uint8Array, options: WriteOptions = {}): void {
  const directory = dirname(path);
  const temporary = writeTemporary(directory, data, options);
  try {
    renameOver(temporary, path);
  } catch (error) {
    dropTemporary(temporary);
    throw error;
  }
  if (options.durable) syncDirectory(directory);
}

/**
 * Makes a file that must not exist yet: whole or not there at all.
 *
 * @returns false when the name is taken; what has it is left alone.
 */
export function createExclusive(
  path: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): boolean {
  const directory = dirname(path);
  const temporary = writeTemporary(directory, data, options);
  let created: boolean;
  try {
    created = linkNew(temporary, path);
  } finally {
    dropTemporary(temporary);
  }
  if (created && options.durable) syncNew(directory, path);
  return created;
}

/** Makes a new file of ours last; one that may not last is not there at all, so that whoever tries again has one. */
function syncNew(directory: string, path: string): void {
  try {
    syncDirectory(directory);
  } catch (error) {
    dropTemporary(path);
    throw error;
  }
}

const PUBLISH_ATTEMPTS = 10;

/**
 * Publishes a record under a name that nobody has yet (records.md 1.4): written to `.tmp.<6 hex>`, linked to
 * the name that `nameFor` gives, asked again when it is taken.
 *
 * @param nameFor a base name for the attempt, counted from 1.
 * @returns the path of the published record.
 * @throws MajordomusError 13 when ten names were taken.
 */
export function publishExclusive(
  directory: string,
  nameFor: (attempt: number) => string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): string {
  const temporary = writeTemporary(directory, data, { ...options, digits: 6 });
  try {
    for (let attempt = 1; attempt <= PUBLISH_ATTEMPTS; attempt += 1) {
      const path = join(directory, plainName(nameFor(attempt)));
      if (!linkNew(temporary, path)) continue;
      if (options.durable) syncNew(directory, path);
      return path;
    }
  } finally {
    dropTemporary(temporary);
  }
  throw new MajordomusError({
    code: "publish.names_taken",
    exit: EXIT.internal,
    subject: directory,
    message: `no free name in ${PUBLISH_ATTEMPTS} attempts`,
    remedy: "try again",
  });
}

function plainName(name: string): string {
  if (name !== "" && name !== "." && name !== ".." && !/[/\\\0]/.test(name)) return name;
  throw new MajordomusError({
    code: "path.not_a_name",
    exit: EXIT.refused,
    subject: name,
    message: "not a plain file name",
  });
}

/** What a system says when something that is no directory, a dangling link included, is in the way. */
const OBSTRUCTED: ReadonlySet<string> = new Set(["EEXIST", "ENOTDIR", "ENOENT"]);

/**
 * Makes a directory and those above it. One that exists already is fine, whatever the system says about it.
 *
 * @throws MajordomusError 13 naming the file that stands in the way.
 */
export function makeDirectory(path: string, mode?: number): void {
  try {
    touch("mkdir", path);
    mkdirSync(path, { recursive: true, ...(mode !== undefined && { mode }) });
  } catch (error) {
    if (!OBSTRUCTED.has(errnoOf(error) ?? "")) throw error;
    const nearest = nearestEntry(path);
    if (isDirectory(nearest)) {
      if (nearest === path) return;
      // Node says ENOENT where a disk refuses, as a read-only one does; the first directory alone says why.
      makeOne(firstBelow(nearest, path), mode);
      return makeDirectory(path, mode);
    }
    throw new MajordomusError({
      code: "directory.obstructed",
      exit: EXIT.internal,
      subject: nearest,
      message: "is not a directory, and one is needed there",
      remedy: "move it away",
      cause: error,
    });
  }
}

/** Makes one directory, unless somebody else just did. */
function makeOne(path: string, mode?: number): void {
  try {
    mkdirSync(path, mode);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  }
}

/** Of the directories from `path` upward the one that lies directly in `above`. */
function firstBelow(above: string, path: string): string {
  const parent = dirname(path);
  return parent === above || parent === path ? path : firstBelow(above, parent);
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** The path itself, or the lowest above it that exists. */
function nearestEntry(path: string): string {
  const above = dirname(path);
  return above === path || statEntry(path) ? path : nearestEntry(above);
}

function isAbsent(error: unknown): boolean {
  const errno = errnoOf(error);
  return errno === "ENOENT" || errno === "ENOTDIR";
}

/** Removes a file or a link; false when it was not there. */
export function removeFile(path: string): boolean {
  try {
    touch("unlink", path);
    unlinkSync(path);
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

/**
 * Renames a file, replacing one of the new name, and makes the target's directory when it is missing.
 *
 * @returns false when `from` was not there.
 */
export function moveFile(from: string, to: string): boolean {
  try {
    renameOver(from, to);
    return true;
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
  if (!statEntry(from)) return false;
  makeDirectory(dirname(to));
  try {
    renameOver(from, to);
    return true;
  } catch (error) {
    if (isAbsent(error) && !statEntry(from)) return false;
    throw error;
  }
}

/** Sets a file's modification time (milliseconds since the epoch); false when it is absent. A link is not followed. */
export function touchFile(path: string, milliseconds: number): boolean {
  try {
    touch("utimes", path);
    lutimesSync(path, milliseconds / 1000, milliseconds / 1000);
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);
const POINTED_BYTES = 1024 * 1024;

/**
 * Aims a relative symbolic link: made as `<path>.mj-aim.<pid>`, then renamed over (records.md 1.2). Where
 * links are refused the file becomes a private copy of its target.
 */
export function replaceLink(path: string, target: string): void {
  if (isAbsolute(target) || target.includes("\0")) {
    throw new MajordomusError({
      code: "link.not_relative",
      exit: EXIT.refused,
      subject: target,
      message: `a link named ${basename(path)} may only aim at a relative path`,
    });
  }
  const aim = `${path}.mj-aim.${process.pid}`;
  // One left by a dead process that had our number would be in the way.
  removeFile(aim);
  try {
    touch("symlink", aim);
    symlinkSync(target, aim);
  } catch (error) {
    if (!NO_LINKS.has(errnoOf(error) ?? "")) throw error;
    copyInstead(path, target);
    return;
  }
  try {
    renameOver(aim, path);
  } catch (error) {
    dropTemporary(aim);
    throw error;
  }
}

function copyInstead(path: string, target: string): void {
  const content = readRegularFile(resolve(dirname(path), target), { maximumBytes: POINTED_BYTES });
  if (content.ok) return writeAtomic(path, content.value, { mode: 0o600 });
  throw new MajordomusError({
    code: "link.target_unreadable",
    exit: EXIT.internal,
    subject: content.error.path,
    message: `cannot be copied: ${content.error.message}`,
  });
}
