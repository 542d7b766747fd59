import { statSync } from "node:fs";
import { EXIT, MajordomusError, errnoOf } from "../base/error.ts";
import { statEntry } from "./read.ts";

const DENIED: ReadonlySet<string | undefined> = new Set(["EACCES", "EPERM"]);

/** What to do about a directory that may not be looked at. */
export type Unseen = "refuse" | "pass";

function isLink(path: string, unseen: Unseen): boolean {
  try {
    return statEntry(path)?.isSymbolicLink() === true;
  } catch (error) {
    // Nothing can be written through it: whoever needs it is refused there.
    if (unseen === "pass" && DENIED.has(errnoOf(error))) return false;
    throw error;
  }
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
 * @throws MajordomusError 15 naming the first that is one; the system's error where one may not be looked at, unless
 *   that is passed over.
 */
export function refuseLinked(directories: readonly string[], unseen: Unseen = "refuse"): void {
  refuse(directories.find((path) => isLink(path, unseen)));
}

/**
 * The same for directories that the program can do without: a link that leads to none is in the way like any other
 * obstacle, and nothing can be written through it.
 *
 * @throws MajordomusError 15 naming the first that leads to a directory; the system's error as above.
 */
export function refuseFollowed(directories: readonly string[], unseen: Unseen = "refuse"): void {
  refuse(directories.find((path) => isLink(path, unseen) && leadsToDirectory(path)));
}
