import * as z from "zod/mini";
import { Divergence, Freshness } from "../labels/terms.ts";
import { nextActionOf } from "./labelled-record.ts";
import type { LabelledRecord } from "./labelled-record.ts";

const text = z.string();

/** A handover or checkpoint as surfaces see it, with its two independent labels (records.md 13.2). */
export const RecordView = z.object({
  path: text,
  created_at: text,
  task_id: z.optional(text),
  branch: text,
  head: text,
  working_tree: z.optional(text),
  match: z.enum(["same_worktree_same_branch", "same_branch"]),
  divergence: Divergence,
  divergence_reason: z.optional(text),
  freshness: Freshness,
  age_minutes: z.optional(z.int()),
  freshness_reason: text,
  next_action: z.optional(text),
  next_action_withheld: z.optional(text),
});
export type RecordView = z.infer<typeof RecordView>;

/** The view of a record that resolves here; undefined for one that does not. */
export function recordView(labelled: LabelledRecord): RecordView | undefined {
  const { record, tier, ageMinutes } = labelled;
  if (tier === undefined) return undefined;
  const next = nextActionOf(labelled);
  return {
    path: labelled.path,
    created_at: record.created_at,
    ...(record.task_id === "none" ? {} : { task_id: record.task_id }),
    branch: record.branch,
    head: record.head,
    ...(record.working_tree === undefined ? {} : { working_tree: record.working_tree }),
    match: tier,
    divergence: labelled.divergence,
    divergence_reason: labelled.divergenceReason,
    freshness: labelled.freshness,
    ...(ageMinutes === undefined ? {} : { age_minutes: ageMinutes }),
    freshness_reason: labelled.freshnessReason,
    ...(next !== undefined && "lines" in next ? { next_action: next.lines.join("\n") } : {}),
    ...(next !== undefined && "withheld" in next ? { next_action_withheld: next.withheld } : {}),
  };
}
