import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { WatchPlan } from "./options.ts";

/** What was seen of each path at one moment: equal texts mean that nothing happened there. */
export type Stamps = ReadonlyMap<string, string>;

/** A directory with more entries shows additions by its own stamp alone. */
const MOST_ENTRIES = 256;
const GONE = "";
/** An error costs more than the look itself, and a poll looks at much that is not there. */
const ABSENT_IS_NO_ERROR = { throwIfNoEntry: false } as const;

function stampOf(path: string): string {
  try {
    const stats = lstatSync(path, ABSENT_IS_NO_ERROR);
    return stats === undefined ? GONE : `${stats.size} ${stats.mtimeMs} ${stats.ino}`;
  } catch {
    return GONE;
  }
}

function presence(path: string): string {
  try {
    const stats = lstatSync(path, ABSENT_IS_NO_ERROR);
    if (stats === undefined) return GONE;
    return stats.isDirectory() ? "directory" : "file";
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

export interface Looking {
  /** Of these only the existence matters: work inside them is no news. */
  worktrees: Iterable<string>;
  /** Look at each entry of the directories too: what no watch reports. */
  entries: boolean;
}

/** Looks at everything of a plan once. */
export function takeStamps(plan: WatchPlan, { worktrees, entries }: Looking): Stamps {
  const stamps = new Map<string, string>();
  for (const directory of plan.directories) {
    stamps.set(directory, stampOf(directory));
    for (const name of entries ? entriesOf(directory) : [])
      stamps.set(join(directory, name), stampOf(join(directory, name)));
  }
  for (const file of plan.files) stamps.set(file, stampOf(file));
  for (const worktree of worktrees) stamps.set(`worktree ${worktree}`, presence(worktree));
  for (const pid of plan.processes ?? []) stamps.set(`process ${pid}`, isRunning(pid) ? "runs" : GONE);
  return stamps;
}

/** What is only looked at because an answer named it: seen for the first time, it is no news. */
const NAMED_BY_ANSWERS = /^(worktree|process) /;

/** The paths that differ between two looks. */
export function changedPaths(before: Stamps, after: Stamps): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => {
    if (NAMED_BY_ANSWERS.test(path) && !(before.has(path) && after.has(path))) return false;
    return before.get(path) !== after.get(path);
  });
}
