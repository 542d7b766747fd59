import { isCommitId } from "../base/id.ts";
import type { Ancestry } from "../git/divergence-index.ts";
import type { Divergence } from "./terms.ts";

export interface DivergenceLabel {
  divergence: Divergence;
  /** Always there, one clause for a person. */
  reason: string;
}

/** Where a record says that it was written. */
export interface RecordedPlace {
  branch?: string;
  head?: string;
}

/** Where this worktree stands. */
export interface CurrentPlace {
  branch: string;
  /** Undefined when there are no commits yet. */
  head: string | undefined;
}

/** What each answer of git means for a record of this branch. */
const MEANING: Record<Ancestry["relation"], Divergence> = {
  exact: "exact",
  ancestor: "advanced",
  not_ancestor: "diverged",
  absent: "diverged",
  unknown: "unknown",
};

function label(divergence: Divergence, reason: string): DivergenceLabel {
  return { divergence, reason };
}

/**
 * Says how a record's place relates to where the worktree stands now (records.md 7.2): the branch
 * first, then the commit. `unknown` is said only where the record names no commit or git cannot tell.
 *
 * @param ancestry what git says of a full commit id that is not HEAD; asked only when it decides.
 */
export function labelDivergence(
  recorded: RecordedPlace,
  here: CurrentPlace,
  ancestry: (commit: string) => Pick<Ancestry, "relation" | "reason">,
): DivergenceLabel {
  const { branch = "", head = "" } = recorded;
  if (branch !== "" && branch !== here.branch) {
    return label("different_context", `recorded on ${branch}, here is ${here.branch}`);
  }
  if (head === "") return label("unknown", "no commit recorded");
  if (head === "NONE") return label("unknown", "recorded before the first commit");
  if (!isCommitId(head)) return label("unknown", "the recorded commit is not a full commit id");
  if (here.head === undefined) return label("unknown", "no commits yet");
  if (head === here.head) return label("exact", "recorded at this very commit");
  const { relation, reason } = ancestry(head);
  return label(MEANING[relation], reason);
}
