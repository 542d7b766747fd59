import * as z from "zod/mini";

const text = z.string();

/** A path of a scope that the active task of another worktree claims too. */
export const ScopeOverlap = z.object({
  worktree: text,
  task_id: text,
  task: text,
  path: text,
  relation: z.enum(["equal", "contains", "contained by"]),
  other: text,
});
export type ScopeOverlap = z.infer<typeof ScopeOverlap>;

/** A worktree of which nobody can tell whether its task claims a path: its task record cannot be read. */
export const UnreadClaim = z.object({ worktree: text, reason: text });
export type UnreadClaim = z.infer<typeof UnreadClaim>;

/** What the other worktrees claim of a scope, as far as their records tell. */
export interface ScopeClaims {
  overlaps: ScopeOverlap[];
  unread: UnreadClaim[];
}
