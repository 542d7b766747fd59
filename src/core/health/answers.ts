import * as z from "zod/mini";
import { Divergence, Finding } from "../labels/terms.ts";
import { ScopeOverlap, UnreadClaim } from "../labels/scope-overlap.ts";

/** What the gates and judges are asked and answer. */

const text = z.string();
const count = z.int();
const Version = z.literal(1);

/** One part of a judgement, or all of it. */
export const FindingsAnswer = z.object({ schema: Version, findings: z.array(Finding) });
export type FindingsAnswer = z.infer<typeof FindingsAnswer>;

const TaskInCheck = z.object({
  id: text,
  title: text,
  outcome: text,
  profile: text,
  scope: z.array(text),
  /** It belongs to another checkout: nothing of it is enforced here. */
  foreign: z.boolean(),
  divergence: z.optional(Divergence),
  divergence_reason: z.optional(text),
});

export const CheckInput = z.strictObject({
  /** Compare the scope with the active tasks of other worktrees. */
  overlap: z.optional(z.boolean()),
});
export type CheckInput = z.infer<typeof CheckInput>;

export const CheckAnswer = z.object({
  schema: Version,
  task: TaskInCheck,
  findings: z.array(Finding),
  overlaps: z.optional(z.array(ScopeOverlap)),
  /** Other worktrees whose claims are unknown. */
  overlaps_unread: z.optional(z.array(UnreadClaim)),
  /** Where the checkpoint was moved: its new time. */
  checkpoint_at: z.optional(text),
});
export type CheckAnswer = z.infer<typeof CheckAnswer>;

export const ExplainAnswer = z.object({
  schema: Version,
  profile_name: text,
  /** Who named the profile. */
  chosen_by: z.enum(["asked", "task", "policy"]),
  profile: z.record(text, z.unknown()),
  policy: z.record(text, z.unknown()),
});
export type ExplainAnswer = z.infer<typeof ExplainAnswer>;

export const FinishOutcome = z.enum(["completed", "partial", "blocked", "no_match", "failed"]);
export type FinishOutcome = z.infer<typeof FinishOutcome>;

export const FinishInput = z.strictObject({
  /** Only a check can do without. */
  outcome: z.optional(FinishOutcome),
  /** Run by the shell in the repository's root. */
  verify_command: z.optional(z.string().check(z.minLength(1), z.maxLength(8192))),
  /** The completion note itself, in place of the newest handover. */
  note: z.optional(text),
  /** Only evaluate scope and state; write nothing. */
  check: z.optional(z.boolean()),
});
export type FinishInput = z.infer<typeof FinishInput>;

export const Verification = z.object({
  command: text,
  exit: count,
  seconds: z.number(),
  /** Why it did not come to an end of its own. */
  stopped: z.optional(text),
  /** The end of what it printed. */
  output: z.optional(text),
});
export type Verification = z.infer<typeof Verification>;

export const FinishAnswer = z.object({
  schema: Version,
  state: z.enum(["finished", "refused", "checked", "nothing"]),
  task_id: z.optional(text),
  outcome: z.optional(FinishOutcome),
  findings: z.array(Finding),
  /** How many clauses fail. */
  unmet: count,
  verify: z.optional(Verification),
  /** The copied note, relative to the repository. */
  note: z.optional(text),
  /** Completing an earlier run that was killed: its ledger line stood already. */
  resumed: z.optional(z.boolean()),
});
export type FinishAnswer = z.infer<typeof FinishAnswer>;
