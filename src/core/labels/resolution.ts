import { parseTimestamp } from "../base/time.ts";
import { byBytes } from "../git/byte-order.ts";

/** What resolution looks at in a record. */
export interface Candidate {
  path: string;
  repositoryId: string;
  worktree: string;
  branch: string;
  createdAt: string;
  /** Position of the record's last line in the ledger; greater is later, -1 when it has none. */
  rank: number;
  taskId?: string;
}

export interface Here {
  repositoryId: string;
  worktree: string;
  /** `DETACHED` when HEAD is on no branch. */
  branch: string;
}

/** Best first: there is no third tier. */
export const MATCH_TIERS = ["same_worktree_same_branch", "same_branch"] as const;
export type MatchTier = (typeof MATCH_TIERS)[number];

/** Which tier a record falls into for this place; undefined when it is no candidate at all. */
export function tierOf(candidate: Candidate, here: Here): MatchTier | undefined {
  if (candidate.repositoryId !== here.repositoryId || candidate.branch !== here.branch) return undefined;
  if (candidate.worktree === here.worktree) return "same_worktree_same_branch";
  return here.branch === "DETACHED" ? undefined : "same_branch";
}

/** The instant that counts for "newest": none for a time that cannot be read or lies ahead. */
function instantOf(candidate: Candidate, now: number): number {
  const instant = parseTimestamp(candidate.createdAt) ?? Number.NEGATIVE_INFINITY;
  return instant > now ? Number.NEGATIVE_INFINITY : instant;
}

/**
 * Picks the record that this place goes on from (records.md 7.1): the lowest tier, then the greatest
 * `created_at`, then the greatest ledger rank, then, so that the answer never depends on the order of a
 * listing, the greatest path.
 *
 * @param task only records of this task count, when given.
 * @param now milliseconds since the epoch; a time beyond it is never the newest. Without it all times count.
 */
export function resolve<C extends Candidate>(
  candidates: readonly C[],
  here: Here,
  task?: string,
  now = Number.POSITIVE_INFINITY,
): { record: C; tier: MatchTier } | undefined {
  const ranked = candidates.flatMap((record) => {
    const tier = task === undefined || record.taskId === task ? tierOf(record, here) : undefined;
    return tier === undefined ? [] : [{ record, tier, instant: instantOf(record, now) }];
  });
  const best = ranked.reduce<(typeof ranked)[number] | undefined>((winner, entry) => {
    if (winner === undefined) return entry;
    const order =
      MATCH_TIERS.indexOf(winner.tier) - MATCH_TIERS.indexOf(entry.tier) ||
      compare(entry.instant, winner.instant) ||
      entry.record.rank - winner.record.rank ||
      byBytes(entry.record.path, winner.record.path);
    return order > 0 ? entry : winner;
  }, undefined);
  return best && { record: best.record, tier: best.tier };
}

/** Like a subtraction, but defined for two infinities. */
function compare(left: number, right: number): number {
  return left === right ? 0 : left < right ? -1 : 1;
}
