import { dirname, join, relative, sep } from "node:path";
import { listDirectory, statEntry } from "./read.ts";

/** So many entries are looked at; what lies deeper in a directory that large is taken for untouched. */
const LOOKED_AT = 10_000;
/** Git's own state moves without anybody changing a file. */
const GIT = ".git";

/** A path from a file of somebody else's may lead anywhere: only what is inside is looked at. */
function isInside(root: string, path: string): boolean {
  const inside = relative(root, path);
  return inside !== "" && inside !== ".." && !inside.startsWith(`..${sep}`);
}

/** What is gone is gone since its directory was last changed. */
function entryOf(root: string, path: string): ReturnType<typeof statEntry> {
  const entry = statEntry(path);
  if (entry !== undefined || !path.startsWith(root)) return entry;
  return entryOf(root, dirname(path));
}

function namesIn(directory: string): string[] {
  try {
    return listDirectory(directory).filter((name) => name !== GIT);
  } catch {
    // Unreadable for us: its own time has said what it can.
    return [];
  }
}

/**
 * Whether one of these files was made, changed, moved or removed at an instant or after it. Directories are looked
 * through, nearest entries first. The time of the entry's last change decides, which no tool can set back, so that
 * an older file moved into the place counts too; the bytes are not read.
 *
 * @param paths relative to `root`
 * @param since nanoseconds since the epoch, by the clock of the file system: the time of another of its files
 */
export function wasTouchedSince(root: string, paths: readonly string[], since: bigint): boolean {
  const queue = paths.map((path) => join(root, path)).filter((path) => isInside(root, path));
  for (let index = 0; index < Math.min(queue.length, LOOKED_AT); index += 1) {
    const path = queue[index] as string;
    const entry = entryOf(root, path);
    if (entry === undefined) continue;
    // A coarse clock gives both the same time: rather once too often than never.
    if (entry.ctimeNs >= since) return true;
    if (!entry.isDirectory() || queue.length >= LOOKED_AT) continue;
    if (statEntry(path) !== undefined) for (const name of namesIn(path)) queue.push(join(path, name));
  }
  return false;
}
