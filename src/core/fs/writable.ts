import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import { stampOf } from "./read.ts";

/**
 * Whether files can be made in a directory (absolute), or in the nearest one above it that would have to hold it:
 * false for a file system that is read-only, for a directory of somebody else's, and for a file in its place.
 */
export function isWritable(directory: string): boolean {
  let here = directory;
  try {
    while (stampOf(here) === undefined && dirname(here) !== here) here = dirname(here);
    accessSync(`${here}/.`, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
