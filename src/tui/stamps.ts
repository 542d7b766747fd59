import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { WatchPlan } from "./options.ts";

/** What was seen of each path at one moment: equal texts mean that nothing happened there. */
export type Stamps = ReadonlyMap<string, string>;

/** A directory with more entries shows additions by its own stamp alone. */
const MOST_ENTRIES = 256;
const GONE = "";

function stampOf(path: string): string {
  try {
    const { size, mtimeMs, ino } = lstatSync(path);
    return `${size} ${mtimeMs} ${ino}`;
  } catch {
    return GONE;
  }
}

function presence(path: string): string {
  try {
    return lstatSync(path).isDirectory() ? "directory" : "file";
  } catch {
    return GONE;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, and is not ours.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function entriesOf(directory: string): readonly string[] {
  try {
    const names = readdirSync(directory);
    return names.length > MOST_ENTRIES ? [] : names;
  } catch {
    return [];
  }
}

/**
 * Looks at everything of a plan once.
 *
 * @param worktrees of which only the existence matters: work inside them is no news.
 */
export function takeStamps(plan: WatchPlan, worktrees: Iterable<string>): Stamps {
  const stamps = new Map<string, string>();
  for (const directory of plan.directories) {
    stamps.set(directory, stampOf(directory));
    for (const name of entriesOf(directory))
      stamps.set(join(directory, name), stampOf(join(directory, name)));
  }
  for (const file of plan.files) stamps.set(file, stampOf(file));
  for (const worktree of worktrees) stamps.set(`worktree ${worktree}`, presence(worktree));
  for (const pid of plan.processes ?? []) stamps.set(`process ${pid}`, isRunning(pid) ? "runs" : GONE);
  return stamps;
}

/** The paths that differ between two looks. */
export function changedPaths(before: Stamps, after: Stamps): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path));
}
