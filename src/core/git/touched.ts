import { isCommitId } from "../base/id.ts";
import { failed, ok } from "../base/result.ts";
import type { Result } from "../base/result.ts";
import type { Repository } from "./repository.ts";
import { reasonOfFailure, runGit } from "./run.ts";
import { parseStatus } from "./status.ts";

/*
 * Which paths were touched, for gates: both names of a rename, and every file of an untracked directory.
 * Records list changed files by the other rule (records.md 1.3).
 */

function pathsOf(repository: Repository, question: readonly string[]): Result<string[], string> {
  const outcome = runGit(repository, question);
  if (outcome.status !== 0) return failed(reasonOfFailure(question, outcome));
  return ok(
    outcome.stdout
      .toString("utf8")
      .split("\0")
      .filter((path) => path !== ""),
  );
}

/** Paths whose content differs between two commits. One process, none for equal ones. */
export function touchedBetween(repository: Repository, from: string, to: string): Result<string[], string> {
  if (from === to) return ok([]);
  const bad = [from, to].find((id) => !isCommitId(id));
  if (bad !== undefined) return failed(`${bad === "" ? "nothing" : bad} is not a full commit id`);
  return pathsOf(repository, ["diff-tree", "-r", "-z", "--no-renames", "--name-only", from, to, "--"]);
}

/** Every path of a commit: what was touched since before the first one. One process. */
export function pathsOfCommit(repository: Repository, commit: string): Result<string[], string> {
  if (!isCommitId(commit)) return failed(`${commit} is not a full commit id`);
  return pathsOf(repository, ["ls-tree", "-r", "-z", "--full-tree", "--name-only", commit]);
}

/** Paths of the working tree that differ from HEAD, or that git does not know and does not ignore. One process. */
export function touchedInWorkingTree(repository: Repository): Result<string[], string> {
  const question = [
    "-c",
    "core.fsmonitor=false",
    "status",
    "--porcelain=v1",
    "-z",
    "--no-renames",
    "--untracked-files=all",
  ];
  const outcome = runGit(repository, question);
  if (outcome.status !== 0) return failed(reasonOfFailure(question, outcome));
  return ok(parseStatus(outcome.stdout.toString("utf8")));
}
