import type { ProcessIdentity } from "../fs/process.ts";

/** The provider of an episode that a person opened, and the beginning of its raw id in one worktree. */
export const HAND = "hand";

/** Who asks for an episode: a provider's session, or a person's hand. */
export interface OpenRequest {
  /** The provider that a hook named; absent by hand. */
  provider?: string;
  /** The provider session's raw id, the only authority for identity (promise 11). */
  rawId?: string;
  owner?: string;
  worker?: string;
  /** The provider's own process, where it names one. */
  process?: ProcessIdentity;
  /** The raw id of the session that this one was forked from, where the payload names one. */
  parentSession?: string;
  /** False for a sub-agent: its events never move the pointer (promise 10). */
  movesPointer: boolean;
  workingTree: "clean" | "dirty";
  /** Put ledger lines aside when the ledger stays locked: what a hook does. */
  deferrable: boolean;
}

export interface Continuation {
  session_id: string;
  evidence: string;
}

export type OpenOutcome =
  | {
      state: "opened" | "kept";
      sessionId: string;
      startedAt: string;
      key: string;
      continues?: Continuation;
      /** The ledger line waits in the spool. */
      deferred: boolean;
      /** What a person should know: a foreign file replaced, a moved worktree. */
      notes: string[];
      /** Where the episode lives, when that is not this worktree. */
      elsewhere?: string;
    }
  | { state: "refused"; reason: string };
