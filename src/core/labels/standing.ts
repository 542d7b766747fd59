import type { Standing } from "./terms.ts";

export interface StandingFacts {
  /** The worktree that the open file names; absent or empty in an old file. */
  worktree?: string;
  /** Whether that path is a directory. */
  worktreeExists: boolean;
  /** Whether that path is the worktree that is asking. */
  isHere: boolean;
  sessionId: string;
  /** The episode that the pointer names, if it names one. */
  pointerSession?: string;
}

/**
 * Where an open episode stands, judged in this order (records.md 13.2): a worktree that is gone, then
 * one that is another's, then the pointer.
 */
export function standingOf(facts: StandingFacts): Standing {
  const named = facts.worktree !== undefined && facts.worktree !== "";
  if (named && !facts.worktreeExists) return "stranded";
  if (named && !facts.isHere) return "foreign";
  return facts.sessionId === facts.pointerSession ? "current" : "open";
}
