import * as z from "zod/mini";
import { isCommitId } from "../base/id.ts";
import { hasCommit, isAncestor } from "../git/plumbing.ts";
import type { Repository } from "../git/repository.ts";
import { isShallow } from "../git/shallow.ts";
import type { SourceState } from "./record.ts";

/** How a recorded commit stands to this checkout, in the order in which it is judged (records.md 14.16). */
export const SourceRelation = z.enum([
  "unknown",
  "head_missing",
  "branch_differs",
  "exact",
  "local_ahead",
  "local_behind",
  "diverged",
]);
export type SourceRelation = z.infer<typeof SourceRelation>;

/** Judges where a record was written against where this checkout stands; a missing commit hides all the rest. */
export function relateSource(
  repository: Repository,
  recorded: Pick<SourceState, "branch" | "head">,
  here: { branch: string; head: string | undefined },
): SourceRelation {
  const commit = recorded.head;
  if (commit === undefined || !isCommitId(commit) || here.head === undefined) return "unknown";
  if (commit !== here.head && !hasCommit(repository, commit)) return "head_missing";
  if (recorded.branch !== undefined && recorded.branch !== here.branch) return "branch_differs";
  if (commit === here.head) return "exact";
  if (isAncestor(repository, commit, here.head) === true) return "local_ahead";
  if (isAncestor(repository, here.head, commit) === true) return "local_behind";
  // Where the history is cut, nobody can tell that they have nothing in common.
  return isShallow(repository) ? "unknown" : "diverged";
}
