import * as z from "zod/mini";
import { SourceRelation } from "./source-relation.ts";
import { RecordView } from "./views.ts";

const text = z.string();

export const PlanInput = z.strictObject({ record: z.optional(text) });

export const PlanStatus = z.enum([
  "ready",
  "ready_with_warnings",
  "requires_source_update",
  "conflict",
  "choose_record",
  "nothing_to_resume",
  "refused",
]);
export type PlanStatus = z.infer<typeof PlanStatus>;

export const Reason = z.object({ code: text, message: text });
export type Reason = z.infer<typeof Reason>;

const Action = z.object({ command: text, reason: text });

/** One of several ways in which a line was gone on with, to be seen beside the others. */
export const Continuation = z.object({
  record: RecordView,
  /** This is the one that the plan is about. */
  chosen: z.boolean(),
  /** This branch stands on it. */
  here: z.boolean(),
  objective: z.optional(text),
  current_state: z.optional(text),
  next_action: z.optional(text),
  decisions: z.array(text),
  /** Those that none of the others has. */
  decisions_only: z.array(text),
});
export type Continuation = z.infer<typeof Continuation>;

export const PlanAnswer = z.object({
  status: PlanStatus,
  record: z.optional(RecordView),
  candidates: z.optional(z.array(RecordView)),
  source: z.optional(
    z.object({
      expected_branch: z.optional(text),
      expected_head: z.optional(text),
      local_branch: z.optional(text),
      local_head: z.optional(text),
      relation: SourceRelation,
      origin_dirty: z.boolean(),
      origin_changed: z.optional(z.array(text)),
      origin_changed_total: z.int(),
      local_dirty: z.boolean(),
      same_uncommitted_work: z.optional(z.boolean()),
    }),
  ),
  lineage: z.optional(
    z.object({
      line: text,
      parent: z.optional(text),
      state: z.enum(["linear", "diverged"]),
      heads: z.array(text),
      /** The record that this branch stands on, and what the planned one is to it. */
      position: z.optional(text),
      relation: z.optional(z.enum(["equal", "newer", "older", "diverged", "independent"])),
    }),
  ),
  task: z.optional(
    z.object({
      id: text,
      title: text,
      profile: z.optional(text),
      scope: z.optional(z.array(text)),
      outcome: z.optional(text),
    }),
  ),
  milestone: z.optional(text),
  /** Titles. */
  decisions: z.optional(z.array(text)),
  objective: z.optional(text),
  current_state: z.optional(text),
  next_action: z.optional(text),
  blockers: z.array(Reason),
  warnings: z.array(Reason),
  /** What a person could run, the first one first. Nothing of it is ever run by itself. */
  actions: z.array(Action),
  restores: z.array(text),
  recomputes: z.array(text),
  /** All ways in which the line was gone on with, where there are several. */
  continuations: z.optional(z.array(Continuation)),
  /** A handover of this very checkout, which resolves before one that was resumed. */
  outranked_by: z.optional(z.object({ path: text, created_at: text, message: text })),
});
export type PlanAnswer = z.infer<typeof PlanAnswer>;

export const ResumeAnswer = z.object({
  resumed: z.boolean(),
  plan: PlanAnswer,
  /** The handover's file, relative to the work tree. */
  handover: z.optional(text),
  decisions_carried: z.int(),
  position: z.optional(z.object({ line: text, record: text, via: text, at: text })),
  notes: z.optional(z.array(text)),
});
export type ResumeAnswer = z.infer<typeof ResumeAnswer>;
