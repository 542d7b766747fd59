import { statSync } from "node:fs";
import { EXIT, MajordomusError } from "../base/error.ts";
import { statEntry } from "./read.ts";

function isLink(path: string): boolean {
  return statEntry(path)?.isSymbolicLink() === true;
}

function leadsToDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function refuse(linked: string | undefined): void {
  if (linked === undefined) return;
  throw new MajordomusError({
    code: "layer.linked",
    exit: EXIT.refused,
    subject: linked,
    message: "is a symbolic link, and a layer is never followed through one",
    remedy: "put the directory itself there",
  });
}

/**
 * Refuses directories of the layer that are symbolic links: what is written, renamed and removed below one would
 * happen to whatever the link leads to (promise 25).
 *
 * @throws MajordomusError 15 naming the first that is one.
 */
export function refuseLinked(directories: readonly string[]): void {
  refuse(directories.find(isLink));
}

/**
 * The same for directories that the program can do without: a link that leads to none is in the way like any other
 * obstacle, and nothing can be written through it.
 *
 * @throws MajordomusError 15 naming the first that leads to a directory.
 */
export function refuseFollowed(directories: readonly string[]): void {
  refuse(directories.find((path) => isLink(path) && leadsToDirectory(path)));
}
