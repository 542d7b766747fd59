import type { Repository } from "./repository.ts";
import { runGit } from "./run.ts";

/**
 * Which of some paths any branch, tag or remote has or had in its history; a stash is none of them. One process;
 * where git does not answer, all of them, so that nobody is told of a loss that is not proved.
 *
 * @param paths relative to the work tree, with slashes.
 */
export function recordedPaths(repository: Repository, paths: readonly string[]): Set<string> {
  if (paths.length === 0) return new Set();
  const outcome = runGit(repository, [
    "--literal-pathspecs",
    "log",
    "--exclude=refs/stash",
    "--all",
    "--format=",
    "--name-only",
    "--no-renames",
    "--diff-filter=A",
    "-z",
    "--",
    ...paths,
  ]);
  if (outcome.status !== 0) return new Set(paths);
  return new Set(outcome.stdout.toString("utf8").split(/[\0\n]/));
}
