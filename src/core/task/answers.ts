import * as z from "zod/mini";
import { Divergence, Freshness, HINTS } from "../labels/terms.ts";
import { ScopeOverlap } from "../labels/scope-overlap.ts";
import { RecordView } from "../ledger/record-view.ts";

/** What the capabilities of work records are asked and answer. Keys are the wire's. */

const text = z.string();
const count = z.int();
const optionalText = z.optional(text);
const yes = z.optional(z.boolean());

export const TaskStartInput = z.strictObject({
  task: text,
  scope: z.array(text),
  /** The policy's default profile when absent. */
  profile: optionalText,
  owner: optionalText,
});

const StartedTask = z.object({
  id: text,
  task: text,
  profile: text,
  owner: text,
  scope: z.array(text),
  started_at: text,
  branch: text,
  head: text,
  working_tree: text,
});

export const TaskStartAnswer = z.object({
  schema: z.literal(1),
  task: StartedTask,
  archived: z.optional(text),
  overlaps: z.array(ScopeOverlap),
  /** What resolves here from before; null where nothing does. */
  handover: z.nullable(RecordView),
  checkpoint: z.nullable(RecordView),
  notes: z.array(text),
});
export type TaskStartAnswer = z.infer<typeof TaskStartAnswer>;

export const CheckpointWriteInput = z.strictObject({
  /** Absent or empty: no file is written, only the task's checkpoint time moves. */
  body: optionalText,
  derive: yes,
  /** Only answer with the text that would be written. */
  dry_run: yes,
});

export const HandoverWriteInput = z.strictObject({
  body: optionalText,
  derive: yes,
  /** The active task becomes `handed_over`. */
  close: yes,
  no_task: yes,
  /** Only answer with the text that would be written. */
  dry_run: yes,
});

export const WrittenAnswer = z.object({
  schema: z.literal(1),
  path: optionalText,
  task_id: optionalText,
  /** Whether the task's checkpoint time moved. */
  moved: z.boolean(),
  closed: z.optional(z.boolean()),
  notes: z.array(text),
  /** The body as it would be written; only where nothing was. */
  text: optionalText,
});
export type WrittenAnswer = z.infer<typeof WrittenAnswer>;

export const ResolveInput = z.strictObject({
  /** Only records of this task. */
  task: optionalText,
});

const Skipped = z.array(z.object({ path: text, reason: text }));

const RecordDetail = z.extend(RecordView, {
  body: text,
  /** The working tree then and now, where they differ. */
  tree_note: optionalText,
  ...HINTS,
});
export type RecordDetail = z.infer<typeof RecordDetail>;

export const HandoverResolveAnswer = z.object({
  schema: z.literal(1),
  handover: z.nullable(RecordDetail),
  skipped: Skipped,
});
export const CheckpointShowAnswer = z.object({
  schema: z.literal(1),
  checkpoint: z.nullable(RecordDetail),
  skipped: Skipped,
});

export const RecordListInput = z.strictObject({
  task: optionalText,
  /** Of other branches and worktrees too. */
  all: yes,
});

const ListedRecord = z.object({
  path: text,
  created_at: text,
  task_id: text,
  branch: text,
  head: text,
  /** The tier in which it resolves here; null where it does not. */
  match: z.nullable(z.enum(["same_worktree_same_branch", "same_branch"])),
  divergence: Divergence,
  freshness: Freshness,
  age_minutes: z.nullable(count),
});

export const RecordListAnswer = z.object({
  schema: z.literal(1),
  /** Newest first; those of one second in ledger order. */
  records: z.array(ListedRecord),
  /** How many are of another branch or repository. */
  elsewhere: count,
  skipped: Skipped,
});
export type RecordListAnswer = z.infer<typeof RecordListAnswer>;

export const DecisionAddInput = z.strictObject({
  title: text,
  why: text,
  rejected: optionalText,
  evidence: optionalText,
  supersedes: optionalText,
});

const DecisionView = z.object({
  heading: text,
  date: optionalText,
  title: text,
  task: optionalText,
  head: optionalText,
  why: optionalText,
  rejected: optionalText,
  evidence: optionalText,
  supersedes: optionalText,
  /** The heading of the later entry that replaces this one. */
  superseded_by: optionalText,
  carried: optionalText,
  line: count,
});

export const DecisionAnswer = z.object({ schema: z.literal(1), decision: DecisionView });
export const DecisionListInput = z.strictObject({ task: optionalText });
export const DecisionListAnswer = z.object({ schema: z.literal(1), decisions: z.array(DecisionView) });
export const DecisionShowInput = z.strictObject({ decision: text });

const OpenQuestion = z.object({ task: text, question: text, date: text });
const ResolvedQuestion = z.extend(OpenQuestion, { answer: text });

export const QuestionAddInput = z.strictObject({ question: text });
export const QuestionAddAnswer = z.object({ schema: z.literal(1), question: OpenQuestion });
export const QuestionResolveInput = z.strictObject({ question: text, answer: text });
export const QuestionResolveAnswer = z.object({ schema: z.literal(1), question: ResolvedQuestion });
export const QuestionListAnswer = z.object({
  schema: z.literal(1),
  open: z.array(OpenQuestion),
  resolved: z.array(ResolvedQuestion),
  /** Lines that look like a question and are none. */
  malformed: z.array(z.object({ line: count, text })),
});
