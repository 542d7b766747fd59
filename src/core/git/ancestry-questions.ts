import { failed, ok, type Result } from "../base/result.ts";
import type { Repository } from "./repository.ts";
import { reasonOfFailure, runGit } from "./run.ts";

/**
 * Which of these commits exist here. One process, whatever their number.
 *
 * @param commits full commit ids, checked by the caller: each becomes a line of git's input.
 */
export function askExisting(
  repository: Repository,
  commits: readonly string[],
  timeoutMilliseconds: number,
): Result<Set<string>, string> {
  const command = ["cat-file", "--batch-check=%(objectname) %(objecttype)"];
  const outcome = runGit(repository, command, { input: `${commits.join("\n")}\n`, timeoutMilliseconds });
  if (outcome.status !== 0) return failed(reasonOfFailure(command, outcome));
  const existing = new Set<string>();
  for (const line of outcome.stdout.toString("latin1").split("\n")) {
    const [id, type] = line.split(" ");
    if (id !== undefined && type === "commit") existing.add(id);
  }
  return ok(existing);
}

/**
 * Which of these commits `head` does not reach. One process: git prints what is reachable from them and
 * not from `head`. A commit that does not exist would count as reached, so existence is asked first.
 */
export function askAncestors(
  repository: Repository,
  head: string,
  existing: readonly string[],
  timeoutMilliseconds: number,
): Result<Set<string>, string> {
  const command = ["rev-list", "--stdin"];
  const input = `^${head}\n${existing.join("\n")}\n`;
  const outcome = runGit(repository, command, { input, timeoutMilliseconds });
  if (outcome.status !== 0) return failed(reasonOfFailure(command, outcome));
  const asked = new Set(existing);
  const strangers = outcome.stdout.toString("latin1").split("\n");
  return ok(new Set(strangers.filter((id) => asked.has(id))));
}

/**
 * What `head` has in its history and `before` has not. One process, which walks no further than to where the two
 * meet.
 *
 * @returns undefined when `before` is not in the history of `head`.
 */
export function askGained(
  repository: Repository,
  before: string,
  head: string,
  timeoutMilliseconds: number,
): Result<Set<string> | undefined, string> {
  const command = ["rev-list", "--left-right", `${before}...${head}`];
  const outcome = runGit(repository, command, { timeoutMilliseconds });
  if (outcome.status !== 0) return failed(reasonOfFailure(command, outcome));
  const sides = outcome.stdout.toString("latin1").split("\n");
  if (sides.some((line) => line.startsWith("<"))) return ok(undefined);
  return ok(new Set(sides.filter((line) => line.startsWith(">")).map((line) => line.slice(1))));
}
