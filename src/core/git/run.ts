import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { elapsedMilliseconds } from "../base/elapsed.ts";
import { failed, ok, type Result } from "../base/result.ts";
import type { Repository } from "./repository.ts";
import { isGitAbsent, spawnGit, type GitOptions, type GitOutcome } from "./spawn.ts";

export type { GitOptions, GitOutcome } from "./spawn.ts";

const SHORTEST_MILLISECONDS = 50;

/**
 * Runs git at the root of a working copy. It finds the repository from there and from nowhere above, so
 * that a damaged checkout is never mistaken for the one around it. Locks are never taken for a mere
 * refresh, nobody is asked for a password, and no network is used unless `network` says so.
 *
 * @throws MajordomusError (13) when git is not installed and the repository does not go without it.
 */
export function runGit(
  repository: Repository,
  command: readonly string[],
  options: GitOptions = {},
): GitOutcome {
  // With `core.worktree` nothing at the root leads to the repository; its git directory itself does.
  const reachable = lstatSync(join(repository.root, ".git"), { throwIfNoEntry: false }) !== undefined;
  const directory = reachable ? repository.root : repository.gitDir;
  const environment = { ...repository.environment, GIT_CEILING_DIRECTORIES: dirname(directory) };
  const { allowance } = repository;
  const spawn = repository.goesWithoutGit === true ? spawnOrFail : spawnGit;
  if (allowance === undefined) return spawn(directory, environment, command, options);
  const begun = elapsedMilliseconds();
  const outcome = spawn(directory, environment, command, {
    ...options,
    // A run that has nothing left still gets a moment: most answers take less.
    timeoutMilliseconds: Math.max(SHORTEST_MILLISECONDS, allowance.remaining()),
  });
  allowance.spend(elapsedMilliseconds() - begun);
  return outcome;
}

/** Like `spawnGit`, but a git that is not there is an outcome too. */
const spawnOrFail: typeof spawnGit = (...call) => {
  try {
    return spawnGit(...call);
  } catch (error) {
    if (!isGitAbsent(error)) throw error;
    return { status: null, stdout: Buffer.alloc(0), stderr: error.message, timedOut: false };
  }
};

/** Why git failed, as one line for a person. */
export function reasonOfFailure(command: readonly string[], outcome: GitOutcome): string {
  const lines = outcome.stderr.split(/\r?\n/).filter((line) => line.trim() !== "");
  const told = lines.find((line) => /^(?:fatal|error): /.test(line)) ?? lines[0];
  if (told !== undefined) return told.replace(/^(?:fatal|error): /, "");
  const name = command.find((argument) => /^[a-z]/.test(argument) && !argument.includes("=")) ?? "";
  return `git ${name} ended with ${outcome.status === null ? "a signal" : `status ${outcome.status}`}`;
}

/** Runs git and takes its output as text, trailing newlines cut; the failure is one line for a person. */
export function gitText(
  repository: Repository,
  command: readonly string[],
  options: GitOptions = {},
): Result<string, string> {
  const outcome = runGit(repository, command, options);
  if (outcome.status !== 0) return failed(reasonOfFailure(command, outcome));
  return ok(outcome.stdout.toString("utf8").replace(/[\r\n]+$/, ""));
}
