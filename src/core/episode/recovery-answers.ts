import * as z from "zod/mini";
import { Balance } from "../labels/terms.ts";

/** What `recover.plan` and `recover.apply` are asked and answer. */
export const RecoverySubject = z.enum(["status", "orphans", "episodes", "records", "all"]);
export type RecoverySubject = z.infer<typeof RecoverySubject>;

export const RecoverPlanInput = z.strictObject({
  subject: z.optional(RecoverySubject),
  /** A policy duration (`12h`) in place of `session.stranded_after`. */
  older_than: z.optional(z.string()),
});
export type RecoverPlanInput = z.infer<typeof RecoverPlanInput>;

export const RecoveryAction = z.object({
  /** Stable while the evidence is the same: `episode:s-…`, `orphan:.tmp.x1`. */
  id: z.string(),
  kind: z.enum(["episode", "orphan", "records", "restore", "pointer"]),
  subject: z.string(),
  session_id: z.optional(z.string()),
  reason: z.string(),
  evidence: z.array(z.string()),
  kept: z.optional(z.array(z.string())),
  lost: z.optional(z.array(z.string())),
  /** What will be written and removed, as paths for people. */
  writes: z.optional(z.array(z.string())),
  removes: z.optional(z.array(z.string())),
});
export type RecoveryAction = z.infer<typeof RecoveryAction>;

export const RecoverPlanAnswer = z.object({
  /** Changes when anything that the plan rests on changes. */
  digest: z.string(),
  actions: z.array(RecoveryAction),
  skipped: z.array(z.object({ subject: z.string(), reason: z.string() })),
  balance: Balance,
});
export type RecoverPlanAnswer = z.infer<typeof RecoverPlanAnswer>;

export const RecoverApplyInput = z.strictObject({
  subject: z.optional(RecoverySubject),
  older_than: z.optional(z.string()),
  /** Ids of the actions to take; all of the plan's when absent. */
  only: z.optional(z.array(z.string())),
  /** The digest that was shown to the person; a plan that differs is returned instead of applied. */
  expect: z.optional(z.string()),
});
export type RecoverApplyInput = z.infer<typeof RecoverApplyInput>;

export const RecoverApplyAnswer = z.object({
  state: z.enum(["applied", "changed", "nothing"]),
  performed: z.array(z.object({ id: z.string(), wrote: z.optional(z.string()), message: z.string() })),
  failed: z.array(z.object({ id: z.string(), reason: z.string() })),
  plan: RecoverPlanAnswer,
});
export type RecoverApplyAnswer = z.infer<typeof RecoverApplyAnswer>;
