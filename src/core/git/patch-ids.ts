import { failed, ok, type Result } from "../base/result.ts";
import type { Repository } from "./repository.ts";
import { reasonOfFailure, runGit } from "./run.ts";

/** Plumbing throughout: a user's settings for diffs must not change what a patch is. */
const DIFF_TREE = ["diff-tree", "--stdin", "-r", "--root", "--no-renames", "--no-ext-diff", "--no-textconv"];

/** A commit and, where it is not to be compared with its own parents, what it is compared with. */
export interface Change {
  commit: string;
  against?: string;
}

function linesOf(changes: readonly Change[]): string {
  return changes.map(({ commit, against }) => `${commit}${against ? ` ${against}` : ""}\n`).join("");
}

/** The set of paths that each change touches, as one comparable string. Merges and empty commits are left out. */
export function touchedPaths(
  repository: Repository,
  changes: readonly Change[],
): Result<Map<string, string>, string> {
  const command = [...DIFF_TREE, "-z", "--name-only"];
  const outcome = runGit(repository, command, { input: linesOf(changes) });
  if (outcome.status !== 0) return failed(reasonOfFailure(command, outcome));
  const touched = new Map<string, string>();
  // Each commit is its id, then its paths; git sorts them alike for every commit.
  const commits = new Set(changes.map(({ commit }) => commit));
  let current = "";
  for (const field of outcome.stdout.toString("utf8").split(/[\0\n]/)) {
    if (commits.has(field)) current = field;
    else if (field !== "") touched.set(current, `${touched.get(current) ?? ""}${field}\0`);
  }
  return ok(touched);
}

/** The stable patch id of each change, by commit: equal for the same change whatever it was made upon. */
export function patchIds(
  repository: Repository,
  changes: readonly Change[],
): Result<Map<string, string>, string> {
  if (changes.length === 0) return ok(new Map());
  const patch = runGit(repository, [...DIFF_TREE, "-p"], { input: linesOf(changes) });
  if (patch.status !== 0) return failed(reasonOfFailure(DIFF_TREE, patch));
  const command = ["patch-id", "--stable"];
  const outcome = runGit(repository, command, { input: patch.stdout });
  if (outcome.status !== 0) return failed(reasonOfFailure(command, outcome));
  const ids = new Map<string, string>();
  for (const line of outcome.stdout.toString("latin1").split("\n")) {
    const [id, commit] = line.split(" ");
    if (id !== undefined && commit !== undefined) ids.set(commit, id);
  }
  return ok(ids);
}
