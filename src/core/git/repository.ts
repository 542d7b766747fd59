import type { Patience } from "../base/patience.ts";
import { lstatSync, statSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import { asBoolean } from "./config-file.ts";
import { commonDirOf, isGitDirectory, readFormat, realPath, targetOfGitFile } from "./git-directory.ts";
import { isDirectory } from "./git-file.ts";
import { spawnGit, type Environment } from "./spawn.ts";

export type { Environment } from "./spawn.ts";

/** One working copy: where its files, its own git directory and the directory shared by all worktrees are. */
export interface Repository {
  /** Canonical top level of this worktree. */
  root: string;
  /** Absolute, canonical. */
  gitDir: string;
  /** Absolute, canonical; equals `gitDir` in a main worktree and in a submodule. */
  commonDir: string;
  environment: Environment;
  /** What all runs of git together may take, where somebody waits: a hook's. Without it each has its own limit. */
  allowance?: Patience;
  /** A git that is not installed is a failure like any other: for what can be told without it. @default false */
  goesWithoutGit?: boolean;
}

type Place =
  | { kind: "worktree"; root: string; gitDir: string; commonDir: string }
  | { kind: "bare"; gitDir: string }
  | { kind: "none" }
  /** The files cannot be interpreted here: only git can say. */
  | { kind: "unclear" };

const NONE: Place = { kind: "none" };

function placeOf(gitDir: string, holder: string | undefined): Place {
  const commonDir = commonDirOf(gitDir);
  const format = readFormat(gitDir, commonDir);
  if (format === undefined) return { kind: "unclear" };
  if (format.worktree !== undefined) {
    const root = realPath(format.worktree);
    return root === undefined ? NONE : { kind: "worktree", root, gitDir, commonDir };
  }
  if (format.bare === true) return { kind: "bare", gitDir };
  if (holder !== undefined) return { kind: "worktree", root: holder, gitDir, commonDir };
  // Inside a git directory: bare only if it does not belong to a worktree beside it.
  return format.bare === undefined && basename(gitDir) !== ".git" && gitDir === commonDir
    ? { kind: "bare", gitDir }
    : NONE;
}

/** What one directory of the way up says; undefined: nothing, go on. */
function lookAt(directory: string): Place | undefined {
  const entry = join(directory, ".git");
  if (lstatSync(entry, { throwIfNoEntry: false }) !== undefined) {
    if (isDirectory(entry)) {
      const gitDir = realPath(entry);
      if (gitDir !== undefined && isGitDirectory(gitDir)) return placeOf(gitDir, directory);
    } else if (statSync(entry, { throwIfNoEntry: false })?.isFile()) {
      // A `.git` file that leads nowhere ends the search, as it does for git: the directory is a lost
      // worktree, and must never be taken for a part of the checkout around it.
      const target = targetOfGitFile(entry);
      const gitDir = target === undefined ? undefined : realPath(target);
      return gitDir !== undefined && isGitDirectory(gitDir) ? placeOf(gitDir, directory) : NONE;
    }
  }
  return isGitDirectory(directory) ? placeOf(directory, undefined) : undefined;
}

function ceilings(environment: Environment): Set<string> {
  const listed = (environment["GIT_CEILING_DIRECTORIES"] ?? "").split(delimiter).filter(isAbsolute);
  return new Set(listed.map((path) => realPath(path) ?? path));
}

/** Walks up from `directory` with git's own rules: one file system, no further than a declared ceiling. */
function locate(directory: string, environment: Environment): Place {
  const start = realPath(directory);
  if (start === undefined || !isDirectory(start)) return NONE;
  const stops = ceilings(environment);
  const across = asBoolean(environment["GIT_DISCOVERY_ACROSS_FILESYSTEM"] ?? "") ?? false;
  const device = statSync(start).dev;
  for (let here = start; ;) {
    const place = lookAt(here);
    if (place !== undefined) return place;
    const parent = dirname(here);
    if (parent === here || stops.has(parent)) return NONE;
    if (!across && statSync(parent).dev !== device) return NONE;
    here = parent;
  }
}

function askGit(directory: string, environment: Environment): Repository | undefined {
  const fields = ["--path-format=absolute", "--show-toplevel", "--git-dir", "--git-common-dir"];
  const outcome = spawnGit(directory, environment, ["rev-parse", ...fields]);
  if (outcome.status !== 0) return undefined;
  const [root, gitDir, commonDir] = outcome.stdout.toString("utf8").split("\n").map(realPath);
  if (root === undefined || gitDir === undefined || commonDir === undefined) return undefined;
  return { root, gitDir, commonDir, environment };
}

/**
 * Finds the working copy that contains `directory` (absolute), by reading git's files; git itself is
 * asked only when they cannot be interpreted. The directory alone decides: `GIT_DIR` and
 * `GIT_WORK_TREE`, which git exports to its hooks, are ignored, and who owns the files does not matter.
 *
 * @returns undefined outside a repository, in a bare one, and where a `.git` file leads nowhere.
 */
export function findRepository(directory: string, environment: Environment): Repository | undefined {
  if (!isAbsolute(directory)) return undefined;
  try {
    const place = locate(directory, environment);
    if (place.kind === "unclear") return askGit(directory, environment);
    if (place.kind !== "worktree") return undefined;
    const { root, gitDir, commonDir } = place;
    return { root, gitDir, commonDir, environment };
  } catch {
    // A directory that vanished or was closed to us in the middle of the walk is no repository to work in.
    return undefined;
  }
}

/** Whether `directory` (absolute) lies in a bare repository, which has no work tree to work in. */
export function isBareRepository(directory: string, environment: Environment = {}): boolean {
  try {
    return isAbsolute(directory) && locate(directory, environment).kind === "bare";
  } catch {
    return false;
  }
}
