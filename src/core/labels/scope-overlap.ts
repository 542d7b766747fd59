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
