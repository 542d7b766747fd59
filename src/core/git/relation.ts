import { isCommitId } from "../base/id.ts";
import type { Ancestry } from "./divergence-index.ts";
import type { Repository } from "./repository.ts";
import { reasonOfFailure, runGit } from "./run.ts";
import { isShallow } from "./shallow.ts";

const ABSENT = /not a valid (?:commit|object) name|bad (?:object|revision)|could not parse|no such/iu;

/**
 * How one recorded commit relates to HEAD, in at most one process. For many commits ask
 * `indexDivergence`, which needs two for all of them.
 *
 * @param head the commit of HEAD.
 */
export function relationOf(repository: Repository, commit: string, head: string): Ancestry {
  if (commit === head) return { relation: "exact", reason: "this very commit" };
  if (!isCommitId(commit)) return { relation: "unknown", reason: "not a full commit id" };
  const question = ["merge-base", "--is-ancestor", commit, head];
  const outcome = runGit(repository, question);
  if (outcome.status === 0) return { relation: "ancestor", reason: "an ancestor of HEAD" };
  const cut = isShallow(repository);
  if (outcome.status === 1) {
    return cut
      ? { relation: "unknown", reason: "the history is cut: this is a shallow clone" }
      : { relation: "not_ancestor", reason: "not in the history of HEAD" };
  }
  const reason = reasonOfFailure(question, outcome);
  if (!ABSENT.test(reason)) return { relation: "unknown", reason };
  return cut
    ? { relation: "unknown", reason: "the commit is not in this shallow clone" }
    : { relation: "absent", reason: "the commit is not in this repository" };
}
