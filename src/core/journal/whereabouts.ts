import type { Site } from "../checkout/checkout.ts";
import { readWorktreeIdentity } from "../checkout/worktree-identity.ts";
import { listWorktrees } from "../git/worktrees.ts";
import type { Worktree } from "../git/worktrees.ts";
import type { Registration } from "./registration.ts";

/** Where the worktree of a registered episode is now. */
export type Whereabouts =
  | { kind: "here" }
  | { kind: "sibling"; worktree: Worktree }
  | { kind: "gone"; reason: string };

/** The repository's worktrees with the identity that each carries, read once for many questions. */
export interface WorktreeMap {
  worktrees: readonly Worktree[];
  byIdentity: ReadonlyMap<string, Worktree>;
}

export function readWorktreeMap(site: Pick<Site, "repository">): WorktreeMap {
  const worktrees = listWorktrees(site.repository);
  const byIdentity = new Map<string, Worktree>();
  for (const worktree of worktrees) {
    if (!worktree.exists) continue;
    const identity = readWorktreeIdentity(worktree.gitDir);
    if (identity !== undefined) byIdentity.set(identity, worktree);
  }
  return { worktrees, byIdentity };
}

/**
 * Finds the worktree that an episode was opened in, by identity and not by path: a directory that was
 * moved is the same one, a path that was made again is another (promise 13).
 */
export function whereaboutsOf(
  site: Pick<Site, "worktreeIdentity">,
  registration: Pick<Registration, "worktree_id" | "worktree">,
  map: WorktreeMap,
): Whereabouts {
  if (registration.worktree_id === site.worktreeIdentity) return { kind: "here" };
  const worktree = map.byIdentity.get(registration.worktree_id);
  if (worktree !== undefined) return { kind: "sibling", worktree };
  const again = map.worktrees.some((other) => other.exists && other.path === registration.worktree);
  return {
    kind: "gone",
    reason: again ? "its worktree was removed; another stands at its path" : "its worktree is gone from disk",
  };
}
