import type { Site } from "../checkout/checkout.ts";
import { readWorktreeIdentity } from "../checkout/worktree-identity.ts";
import { stampOf } from "../fs/read.ts";
import { findRepository } from "../git/repository.ts";
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
 * The worktree that this one is a copy of: it stands where the episode was opened, in another repository, and
 * bears the identity that was copied with it. A worktree that was moved has left nothing there.
 */
export function originalOf(
  { root, repository, worktreeIdentity }: Pick<Site, "worktreeIdentity" | "root" | "repository">,
  worktree: string,
): Worktree | undefined {
  if (worktree === root || stampOf(worktree) === undefined) return undefined;
  const other = findRepository(worktree, repository.environment);
  if (other === undefined || other.root !== worktree || other.gitDir === repository.gitDir) return undefined;
  // One directory that is reached by two spellings is one worktree.
  if (stampOf(other.gitDir)?.inode === stampOf(repository.gitDir)?.inode) return undefined;
  if (readWorktreeIdentity(other.gitDir) !== worktreeIdentity) return undefined;
  return { path: worktree, gitDir: other.gitDir, exists: true, main: other.gitDir === other.commonDir };
}

/**
 * Finds the worktree that an episode was opened in, by identity and not by path: a directory that was
 * moved is the same one, a path that was made again is another (promise 13).
 */
export function whereaboutsOf(
  site: Pick<Site, "worktreeIdentity" | "root" | "repository">,
  registration: Pick<Registration, "worktree_id" | "worktree">,
  map: WorktreeMap,
): Whereabouts {
  if (registration.worktree_id === site.worktreeIdentity) {
    const original = originalOf(site, registration.worktree);
    return original === undefined ? { kind: "here" } : { kind: "sibling", worktree: original };
  }
  const worktree = map.byIdentity.get(registration.worktree_id);
  if (worktree !== undefined) return { kind: "sibling", worktree };
  const again = map.worktrees.some((other) => other.exists && other.path === registration.worktree);
  return {
    kind: "gone",
    reason: again ? "its worktree was removed; another stands at its path" : "its worktree is gone from disk",
  };
}
