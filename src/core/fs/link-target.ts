import { readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { EXIT, MajordomusError, errnoOf } from "../base/error.ts";
import { statEntry } from "./read.ts";

const MAXIMUM_LINKS = 10;

/**
 * Where a settings file that may be a symbolic link is really written: a link stays a link, and what is
 * replaced is the file at the end of its chain. A link that dangles aims at a file to be made.
 *
 * @returns the path itself when it is no link.
 * @throws MajordomusError 10 for a circle, for more than ten links, and when the directory at the end of the
 *   chain does not exist.
 */
export function resolveLinkTarget(path: string): string {
  let current = path;
  for (let links = 0; links <= MAXIMUM_LINKS; links += 1) {
    if (!statEntry(current)?.isSymbolicLink()) {
      if (links > 0) requireDirectory(path, current);
      return current;
    }
    // `..` in a link is counted from where the link really lies.
    current = resolve(realDirectory(path, dirname(current)), readlinkSync(current));
  }
  throw refusal("link.circular", path, "its symbolic links lead in a circle, or there are more than ten");
}

function realDirectory(path: string, directory: string): string {
  try {
    return realpathSync.native(directory);
  } catch (error) {
    if (errnoOf(error) === "ELOOP")
      throw refusal("link.circular", path, "its symbolic links lead in a circle");
    throw error;
  }
}

function requireDirectory(path: string, target: string): void {
  if (isDirectory(dirname(target))) return;
  throw refusal("link.dangling", path, `is a symbolic link to ${target}, whose directory does not exist`);
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function refusal(code: string, subject: string, message: string): MajordomusError {
  return new MajordomusError({
    code,
    exit: EXIT.finding,
    subject,
    message,
    remedy: "aim the link at a file in a directory that exists",
  });
}
