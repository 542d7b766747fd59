import { join } from "node:path";
import { listDirectory, statEntry } from "../fs/read.ts";
import { isTemporary } from "../fs/temporary.ts";
import { removeFile } from "../fs/write.ts";
import type { MemoryTree } from "./memory-tree.ts";

/** A write takes no longer, in milliseconds: what is younger is one that is under way. */
const WRITE_MILLISECONDS = 5000;
/** No writer that was stopped for so long goes on as if nothing had been, in milliseconds. */
const LEFT_MILLISECONDS = 3_600_000;

/** The directories of a memory tree in which we write; never one behind a link. */
export function writtenDirectories({ memory, capsules, runtime, locks, writers }: MemoryTree): string[] {
  return [memory.root, capsules, runtime, locks, writers].filter(
    (directory) => statEntry(directory)?.isDirectory() === true,
  );
}

/** What writes that were cut short left in a tree. @param now milliseconds since the epoch. */
export function unfinishedWrites(
  tree: MemoryTree,
  now: number,
  least: number = WRITE_MILLISECONDS,
): string[] {
  return writtenDirectories(tree).flatMap((directory) =>
    listDirectory(directory)
      .filter(isTemporary)
      .map((name) => join(directory, name))
      .filter((path) => {
        const entry = statEntry(path);
        return entry?.isFile() === true && now - Number(entry.mtimeMs) >= least;
      }),
  );
}

/**
 * Takes away what killed writers left long ago. A capsule's writer holds the lock of that one alone, and an unfinished
 * file does not say whose it is: its age does. Never throws: nobody's write depends on it.
 */
export function sweepUnfinished(tree: MemoryTree, now: number): void {
  try {
    for (const path of unfinishedWrites(tree, now, LEFT_MILLISECONDS)) removeFile(path);
  } catch {
    // The doctor names what stays.
  }
}
