import type * as z from "zod/mini";
import type { AnswerError } from "../core/capabilities/answer.ts";
import type { Progress } from "../core/capabilities/capability.ts";
import { RecoverPlanAnswer } from "../core/episode/recovery-answers.ts";
import { HistoryAnswer } from "../core/ledger/answers.ts";
import { ClosedAnswer, EpisodesAnswer, RecoveryAnswer, StateAnswer } from "../core/lifecycle/answers.ts";
import type { SliceName } from "./questions.ts";

export type SliceState = "idle" | "loading" | "ready" | "stale" | "failed";

/** One capability's answer and how far it can be believed. */
export interface Slice<Data> {
  state: SliceState;
  data?: Data;
  /** When the answer came, milliseconds. */
  at?: number;
  error?: AnswerError;
  progress?: Progress;
}

/** What is known about one repository. */
export interface Slices {
  state: Slice<StateAnswer>;
  episodes: Slice<EpisodesAnswer>;
  recovery: Slice<RecoveryAnswer>;
  plan: Slice<RecoverPlanAnswer>;
  history: Slice<HistoryAnswer>;
  closed: Slice<ClosedAnswer>;
  lines: Slice<HistoryAnswer>;
  found: Slice<HistoryAnswer>;
}

/** What the answer of each slice looks like. */
export const ANSWERS: Readonly<Record<SliceName, z.ZodMiniType>> = {
  state: StateAnswer,
  episodes: EpisodesAnswer,
  recovery: RecoveryAnswer,
  plan: RecoverPlanAnswer,
  history: HistoryAnswer,
  closed: ClosedAnswer,
  lines: HistoryAnswer,
  found: HistoryAnswer,
};

export const SLICE_NAMES = Object.keys(ANSWERS) as SliceName[];

export function idleSlices(): Slices {
  const idle = { state: "idle" } as const;
  return {
    state: idle,
    episodes: idle,
    recovery: idle,
    plan: idle,
    history: idle,
    closed: idle,
    lines: idle,
    found: idle,
  };
}

/** Which slices a changed path makes old; the first row that matches counts. */
const AFFECTED: readonly { path: RegExp; slices: readonly SliceName[] }[] = [
  // They come and go around every act; what the act itself changes is another file.
  { path: /(\.lock|[\\/]\.tmp\.[^\\/]*)$/, slices: [] },
  { path: /^(worktree|process) /, slices: ["episodes", "recovery", "plan", "state"] },
  // git's own names; an index or a HEAD says nothing about episodes.
  { path: /[\\/](HEAD|index|packed-refs|ORIG_HEAD)$/, slices: ["state", "closed"] },
  { path: /[\\/]refs[\\/]/, slices: ["state", "closed"] },
  { path: /[\\/]\.git[\\/](?!majordomus|worktrees)/, slices: ["state", "closed"] },
  { path: /ledger\.jsonl$/, slices: ["history", "lines", "found", "episodes", "recovery", "plan", "state"] },
];

/** The slices that depend on a path; all of them, when nothing more is known about it. */
export function affectedBy(path: string): readonly SliceName[] {
  return AFFECTED.find((rule) => rule.path.test(path))?.slices ?? SLICE_NAMES;
}
