import { failed, ok } from "../base/result.ts";
import type { Result } from "../base/result.ts";
import type { Repository } from "./repository.ts";
import { reasonOfFailure, runGit } from "./run.ts";

/**
 * Which of these object names stand for something here: `<id>^{commit}`, `HEAD:<path>`. One process, whatever
 * their number; a name that would not be one line of input stands for nothing.
 */
export function existingObjects(
  repository: Repository,
  names: Iterable<string>,
): Result<ReadonlySet<string>, string> {
  const asked = [...new Set(names)].filter((name) => !/[\0\n\r]/.test(name));
  if (asked.length === 0) return ok(new Set());
  const command = ["cat-file", "--batch-check=%(objecttype)"];
  const outcome = runGit(repository, command, { input: `${asked.join("\n")}\n` });
  if (outcome.status !== 0) return failed(reasonOfFailure(command, outcome));
  const answers = outcome.stdout.toString("utf8").split("\n");
  return ok(new Set(asked.filter((_, index) => /^(?:commit|blob|tree)$/.test(answers[index] ?? ""))));
}
