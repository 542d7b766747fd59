import { readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { sha256Hex } from "../base/id.ts";
import { byBytes } from "./byte-order.ts";
import { readFormat, realPath, targetOfGitFile } from "./git-directory.ts";
import { isDirectory, readGitFile } from "./git-file.ts";
import { askHead, readHeadFiles, type Head } from "./head.ts";
import type { Repository } from "./repository.ts";

export interface Worktree {
  /** Canonical while it exists, else as git noted it. */
  path: string;
  gitDir: string;
  /** Whether a working copy that belongs to this entry stands at `path`. */
  exists: boolean;
  main: boolean;
  branch?: string;
  commit?: string;
}

function headOf(repository: Repository, worktree: Omit<Worktree, "branch" | "commit">): Partial<Head> {
  const location = { gitDir: worktree.gitDir, commonDir: repository.commonDir };
  const head = readHeadFiles(location);
  if (head !== undefined || !worktree.exists) return head ?? {};
  return askHead({ ...repository, root: worktree.path, gitDir: worktree.gitDir });
}

function withHead(repository: Repository, worktree: Omit<Worktree, "branch" | "commit">): Worktree {
  const { branch, commit } = headOf(repository, worktree);
  return {
    ...worktree,
    ...(branch === undefined ? {} : { branch }),
    ...(commit === undefined ? {} : { commit }),
  };
}

/** Where the main worktree is; undefined when the repository is bare and has none. */
function mainPath(repository: Repository): string | undefined {
  const { commonDir, gitDir, root } = repository;
  if (gitDir === commonDir) return root;
  const format = readFormat(commonDir, commonDir);
  if (format?.bare === true) return undefined;
  if (format?.worktree !== undefined) return format.worktree;
  // With a separate git directory nothing says where its worktree is; git itself then names the directory.
  return basename(commonDir) === ".git" ? dirname(commonDir) : commonDir;
}

/** The path that a worktree's administrative directory notes: that of its `.git` file, less the name. */
function notedPath(gitDir: string): string | undefined {
  const text = readGitFile(join(gitDir, "gitdir"))?.replace(/[\r\n]+$/, "");
  return text === undefined || text === "" ? undefined : dirname(resolve(gitDir, text));
}

function leadsBack(path: string, gitDir: string): boolean {
  const target = targetOfGitFile(join(path, ".git"));
  return target !== undefined && realPath(target) === gitDir;
}

function linkedWorktrees(repository: Repository): Worktree[] {
  const directory = join(repository.commonDir, "worktrees");
  if (!isDirectory(directory)) return [];
  const found: Worktree[] = [];
  for (const name of readdirSync(directory)) {
    const gitDir = join(directory, name);
    const noted = notedPath(gitDir);
    if (noted === undefined) continue;
    const path = realPath(noted) ?? noted;
    found.push(withHead(repository, { path, gitDir, exists: leadsBack(path, gitDir), main: false }));
  }
  return found.toSorted((left, right) => byBytes(left.path, right.path));
}

/**
 * Every worktree that git has registered, the main one first and the others by path, read from files.
 * One whose directory is gone is listed with `exists: false` until git prunes it.
 */
export function listWorktrees(repository: Repository): Worktree[] {
  const linked = linkedWorktrees(repository);
  const path = mainPath(repository);
  if (path === undefined) return linked;
  const gitDir = repository.commonDir;
  return [withHead(repository, { path, gitDir, exists: isDirectory(path), main: true }), ...linked];
}

/**
 * Whether git knows this directory as a worktree. False for a copy of a worktree and for one that was
 * moved by hand: its git directory then notes another path.
 */
export function isRegisteredWorktree(repository: Repository): boolean {
  if (repository.gitDir === repository.commonDir) return true;
  const noted = notedPath(repository.gitDir);
  return noted !== undefined && realPath(noted) === repository.root;
}

/** How closed records name a worktree: 16 hex of the SHA-256 of its absolute path (records.md 1.3). */
export function recordedWorktreeId(path: string): string {
  return sha256Hex(path).slice(0, 16);
}
