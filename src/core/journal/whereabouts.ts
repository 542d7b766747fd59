import { isAbsolute } from "node:path";
import type { Site } from "../checkout/checkout.ts";
import { readWorktreeIdentity } from "../checkout/worktree-identity.ts";
import { commonPaths } from "../checkout/common.ts";
import { stampOf } from "../fs/read.ts";
import { findRepository } from "../git/repository.ts";
import { listWorktrees } from "../git/worktrees.ts";
import type { Worktree } from "../git/worktrees.ts";
import { holdsEpisode } from "./registration.ts";
import type { Registration } from "./registration.ts";

/** Where the worktree of a registered episode is now. */
export type Whereabouts =
  | { kind: "here" }
  | { kind: "sibling"; worktree: Worktree }
  /** In another repository: the one that this one is a copy of, or one that took the worktree over. */
  | { kind: "elsewhere"; reason: string; worktree?: Worktree }
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

type Questioner = Pick<Site, "worktreeIdentity" | "root" | "repository">;

/** Whether two paths that stand are two directories: one may be reached by two spellings. */
function isAnother(path: string, than: string): boolean {
  const stamp = path === than ? undefined : stampOf(path);
  return stamp !== undefined && stamp.inode !== stampOf(than)?.inode;
}

/** The worktree at a path, with its repository, where it bears an identity. */
function bearerAt(
  { environment }: Site["repository"],
  path: string,
  identity: string | undefined,
): { worktree: Worktree; commonDir: string } | undefined {
  if (stampOf(path) === undefined) return undefined;
  const found = findRepository(path, environment);
  if (found?.root !== path || readWorktreeIdentity(found.gitDir) !== identity) return undefined;
  const { gitDir, commonDir } = found;
  return { worktree: { path, gitDir, exists: true, main: gitDir === commonDir }, commonDir };
}

/**
 * The worktree that this one is a copy of: it stands where the episode was opened, in another repository, and
 * bears the identity that was copied with it. A worktree that was moved has left nothing there.
 */
export function originalOf(
  { root, repository, worktreeIdentity }: Questioner,
  worktree: string,
): Worktree | undefined {
  if (worktree === root) return undefined;
  const bearer = bearerAt(repository, worktree, worktreeIdentity)?.worktree;
  return bearer !== undefined && isAnother(bearer.gitDir, repository.gitDir) ? bearer : undefined;
}

type Opened = Pick<Registration, "worktree_id" | "worktree" | "repository_id" | "session_id">;

/**
 * The other repository that an episode is of: its worktree stands there, or it was registered there and that
 * repository still knows it. One that was moved has left nothing at its old path, and one that was made there
 * again knows nothing.
 */
function elsewhereOf({ repository }: Questioner, opened: Opened): Whereabouts | undefined {
  const { worktree, worktree_id, repository_id } = opened;
  const reason = (where: string): string =>
    `the repository ${where} opened it and ends it; what was copied of it here can go`;
  const bearer = bearerAt(repository, worktree, worktree_id);
  if (bearer !== undefined && isAnother(bearer.commonDir, repository.commonDir)) {
    return { kind: "elsewhere", reason: reason(bearer.commonDir), worktree: bearer.worktree };
  }
  if (!isAbsolute(repository_id) || !isAnother(repository_id, repository.commonDir)) return undefined;
  if (!holdsEpisode(commonPaths(repository_id), opened.session_id)) return undefined;
  return { kind: "elsewhere", reason: reason(repository_id) };
}

/**
 * Finds the worktree that an episode was opened in, by identity and not by path: a directory that was
 * moved is the same one, a path that was made again is another (promise 13). In a copied repository the
 * episodes of the original's worktrees stay the original's, also of one that was removed there.
 */
export function whereaboutsOf(site: Questioner, opened: Opened, map: WorktreeMap): Whereabouts {
  const original = (here: Questioner): Whereabouts | undefined => {
    const worktree = originalOf(here, opened.worktree);
    return worktree && { kind: "elsewhere", reason: `it is of ${worktree.path}`, worktree };
  };
  if (opened.worktree_id === site.worktreeIdentity) return original(site) ?? { kind: "here" };
  const worktree = map.byIdentity.get(opened.worktree_id);
  if (worktree !== undefined) {
    const { path: root, gitDir } = worktree;
    const there = { root, repository: { ...site.repository, gitDir }, worktreeIdentity: opened.worktree_id };
    return original(there) ?? { kind: "sibling", worktree };
  }
  const elsewhere = elsewhereOf(site, opened);
  if (elsewhere !== undefined) return elsewhere;
  const again = map.worktrees.some((other) => other.exists && other.path === opened.worktree);
  return {
    kind: "gone",
    reason: again ? "its worktree was removed; another stands at its path" : "its worktree is gone from disk",
  };
}

/** Where the worktree of an episode of another one stands; undefined for one of here and for one that is gone. */
export function standingWorktree(whereabouts: Whereabouts): string | undefined {
  return whereabouts.kind === "sibling" || whereabouts.kind === "elsewhere"
    ? whereabouts.worktree?.path
    : undefined;
}
