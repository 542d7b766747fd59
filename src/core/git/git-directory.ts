import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { asBoolean, lastValue, parseConfig, type ConfigEntry } from "./config-file.ts";
import { isDirectory, readGitFile } from "./git-file.ts";

const HEAD_FORMS = /^(?:ref:\s*refs\/|[0-9a-f]{40}(?:[0-9a-f]{24})?(?:\s|$))/;

/** The canonical path of something that exists, or undefined. Two spellings of one place become one. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** Where the directory shared by all worktrees is: git's `commondir` file, else the git directory itself. */
export function commonDirOf(gitDir: string): string {
  const file = join(gitDir, "commondir");
  // A main worktree has none, and an exception is dearer than a look.
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return gitDir;
  const pointer = readGitFile(file)?.replace(/[\r\n]+$/, "");
  if (pointer === undefined || pointer === "") return gitDir;
  const target = resolve(gitDir, pointer);
  return realPath(target) ?? target;
}

function hasHead(gitDir: string): boolean {
  const path = join(gitDir, "HEAD");
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
    return readlinkSync(path).startsWith("refs/");
  }
  const text = readGitFile(path);
  return text !== undefined && (text.startsWith("ref: refs/") || HEAD_FORMS.test(text));
}

/** Git's own test for a git directory: a plausible HEAD, and `objects` and `refs` where they belong. */
export function isGitDirectory(path: string): boolean {
  try {
    if (!hasHead(path)) return false;
    const common = commonDirOf(path);
    return isDirectory(join(common, "objects")) && isDirectory(join(common, "refs"));
  } catch {
    return false;
  }
}

/** Where a `.git` file (`gitdir: <path>`, relative to the file) points, unchecked; undefined if it is none. */
export function targetOfGitFile(path: string): string | undefined {
  const text = readGitFile(path);
  if (text === undefined || !text.startsWith("gitdir: ")) return undefined;
  const target = text.slice("gitdir: ".length).replace(/[\r\n]+$/, "");
  if (target === "") return undefined;
  return resolve(dirname(path), target);
}

export interface RepositoryFormat {
  bare: boolean | undefined;
  /** Absolute, from `core.worktree`. */
  worktree: string | undefined;
  refStorage: string;
}

/**
 * Reads what git's set-up reads before anything else. `core.bare` and `core.worktree` of the shared
 * configuration do not apply to a linked worktree, unless per-worktree configuration is switched on.
 *
 * @returns undefined when the configuration cannot be read; then only git can say.
 */
export function readFormat(gitDir: string, commonDir: string): RepositoryFormat | undefined {
  const shared = readEntries(join(commonDir, "config"));
  if (shared === undefined) return undefined;
  const refStorage = lastValue(shared, "extensions.refstorage") ?? "files";
  const perWorktree = asBoolean(lastValue(shared, "extensions.worktreeconfig") ?? "") ?? false;
  if (gitDir !== commonDir && !perWorktree) return { bare: undefined, worktree: undefined, refStorage };
  const own = perWorktree ? readEntries(join(gitDir, "config.worktree")) : [];
  if (own === undefined) return undefined;
  const entries = [...shared, ...own];
  const bare = lastValue(entries, "core.bare");
  const worktree = lastValue(entries, "core.worktree");
  return {
    bare: bare === undefined ? undefined : asBoolean(bare),
    worktree: worktree == null ? undefined : resolve(gitDir, worktree),
    refStorage,
  };
}

function readEntries(path: string): ConfigEntry[] | undefined {
  const text = readGitFile(path);
  if (text !== undefined) return parseConfig(text);
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? [] : undefined;
}
