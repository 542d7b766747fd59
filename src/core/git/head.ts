import { isCommitId } from "../base/id.ts";
import { readFormat } from "./git-directory.ts";
import { resolveRef, type RefLocation } from "./refs.ts";
import type { Repository } from "./repository.ts";
import { runGit } from "./run.ts";

/** How a record writes a HEAD that is on no branch (records.md 1.3). */
export const DETACHED = "DETACHED";

export interface Head {
  /** The branch's own name, never shortened by what else is called so; `DETACHED` when there is none. */
  branch: string;
  /** Undefined when there are no commits yet. */
  commit: string | undefined;
}

/** The branch name that a full reference stands for. */
export function branchOf(reference: string): string {
  return reference.replace(/^refs\/(?:heads\/)?/, "");
}

/** True unless references are files: with reftable, git leaves a stub that must not be believed. */
export function keepsRefsElsewhere(location: RefLocation): boolean {
  const format = readFormat(location.gitDir, location.commonDir);
  return format === undefined || format.refStorage !== "files";
}

/** Reads HEAD from files alone; undefined where only git can answer. */
export function readHeadFiles(location: RefLocation): Head | undefined {
  const resolved = resolveRef(location, "HEAD");
  if (resolved === undefined || resolved.name === "refs/heads/.invalid") return undefined;
  if (resolved.name === "HEAD") return { branch: DETACHED, commit: resolved.id };
  if (resolved.id === undefined && keepsRefsElsewhere(location)) return undefined;
  return { branch: branchOf(resolved.name), commit: resolved.id };
}

/** Asks git for HEAD: for reftable, links in place of references, and whatever else files do not tell. */
export function askHead(repository: Repository): Head {
  const symbolic = runGit(repository, ["symbolic-ref", "-q", "HEAD"]);
  const verified = runGit(repository, ["rev-parse", "-q", "--verify", "HEAD"]);
  const id = verified.stdout.toString("utf8").trim();
  return {
    branch: symbolic.status === 0 ? branchOf(symbolic.stdout.toString("utf8").trim()) : DETACHED,
    commit: verified.status === 0 && isCommitId(id) ? id : undefined,
  };
}

/**
 * The branch and commit of this worktree. Read from `HEAD`, loose and packed references where that is
 * exact, which costs no process; else git is asked.
 */
export function readHead(repository: Repository): Head {
  return readHeadFiles(repository) ?? askHead(repository);
}
