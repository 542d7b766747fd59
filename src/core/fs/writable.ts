import { accessSync, constants, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { stampOf } from "./read.ts";

/** The nearest directory that exists, from this one (absolute) upwards. */
function nearest(directory: string): string {
  let here = directory;
  while (stampOf(here) === undefined && dirname(here) !== here) here = dirname(here);
  return here;
}

/**
 * Whether files can be made in a directory (absolute), or in the nearest one above it that would have to hold it:
 * false for a file system that is read-only, for a directory of somebody else's, and for a file in its place.
 */
export function isWritable(directory: string): boolean {
  try {
    accessSync(`${nearest(directory)}/.`, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Less than any file of ours needs beside others', in bytes. */
const NO_ROOM = 64 * 1024;

/**
 * Whether the file system of a directory (absolute), or of the nearest one above it, has room for another file; true as
 * well where it does not say.
 */
export function hasRoom(directory: string): boolean {
  try {
    const { bavail, bsize, blocks, ffree, files } = statfsSync(nearest(directory));
    return (blocks === 0 || bavail * bsize >= NO_ROOM) && (files === 0 || ffree > 0);
  } catch {
    return true;
  }
}
