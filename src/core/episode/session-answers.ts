import * as z from "zod/mini";
import { Divergence } from "../labels/terms.ts";

/**
 * What the `session.*` capabilities of a person at a command line are asked and answer (records.md 3.4).
 * Keys are the wire's; paths are relative to the repository.
 */

const text = z.string();

export const SessionOutcome = z.enum(["closed", "interrupted"]);

export const SessionStartInput = z.strictObject({
  owner: z.optional(text),
  worker: z.optional(text),
  /** What to do when this process's episode is open already; `refuse` when absent. */
  if_open: z.optional(z.enum(["refuse", "keep"])),
  provider: z.optional(text),
  provider_session: z.optional(text),
});
export type SessionStartInput = z.infer<typeof SessionStartInput>;

export const SessionStartAnswer = z.object({
  schema: z.literal(1),
  state: z.enum(["opened", "kept"]),
  session_id: text,
  started_at: text,
  /** The full commit, `NONE` before the first one. */
  head: text,
  working_context: z.optional(text),
  continues: z.optional(text),
  /** What a person should know: a foreign file replaced, a worktree that moved. */
  notes: z.array(text),
});
export type SessionStartAnswer = z.infer<typeof SessionStartAnswer>;

export const SessionStatusInput = z.strictObject({ provider_session: z.optional(text) });

const OpenSession = z.object({
  session_id: text,
  started_at: text,
  owner: text,
  worker: z.nullable(text),
  provider: z.nullable(text),
  provider_session: z.nullable(text),
  worktree: text,
  branch: text,
  start_head: text,
  start_working_tree: text,
  /** Another checkout opened it. */
  foreign: z.boolean(),
  label: Divergence,
});

export const SessionStatusAnswer = z.object({
  schema: z.literal(1),
  open: z.nullable(OpenSession),
  others: z.array(z.object({ session_id: text, key: text })),
});
export type SessionStatusAnswer = z.infer<typeof SessionStatusAnswer>;

export const SessionCloseInput = z.strictObject({
  /** The open episode of this repository to close; the asking process's own when absent. */
  session_id: z.optional(text),
  provider_session: z.optional(text),
  /** `closed` when absent. */
  outcome: z.optional(SessionOutcome),
  /** What to do when nothing is open; `refuse` when absent. */
  if_none: z.optional(z.enum(["refuse", "ignore"])),
  /** The record's authored body. */
  summary: z.optional(text),
});
export type SessionCloseInput = z.infer<typeof SessionCloseInput>;

export const SessionCloseAnswer = z.object({
  schema: z.literal(1),
  /** `kept`: the store had this episode's record already, and it stands. */
  state: z.enum(["closed", "kept", "none"]),
  session_id: z.optional(text),
  path: z.optional(text),
  /** What could not be done beside the close itself. */
  notes: z.optional(z.array(text)),
});
export type SessionCloseAnswer = z.infer<typeof SessionCloseAnswer>;

export const SessionListInput = z.strictObject({
  /** Of every branch and repository in the store. */
  all: z.optional(z.boolean()),
});

const ListedSession = z.object({
  session_id: text,
  created_at: text,
  outcome: SessionOutcome,
  branch: z.nullable(text),
  label: Divergence,
  path: text,
});
export type ListedSession = z.infer<typeof ListedSession>;

export const SessionListAnswer = z.object({
  schema: z.literal(1),
  /** Newest first. */
  sessions: z.array(ListedSession),
  /** How many records of the store are of another branch or repository. */
  elsewhere: z.int(),
  /** Files in a record's place that are none, with the reason. */
  skipped: z.array(z.object({ path: text, reason: text })),
});
export type SessionListAnswer = z.infer<typeof SessionListAnswer>;

const SessionRecord = z.object({
  session_id: text,
  started_at: text,
  closed_at: text,
  outcome: SessionOutcome,
  branch: z.nullable(text),
  label: Divergence,
  /** The tier in which it resolves here; null where it does not. */
  match: z.nullable(z.enum(["same_worktree_same_branch", "same_branch"])),
  path: text,
});
export type SessionRecord = z.infer<typeof SessionRecord>;

export const SessionShowInput = z.strictObject({ session_id: text });
export const SessionShowAnswer = z.object({
  schema: z.literal(1),
  session: SessionRecord,
  /** The record, whole, as it stands on disk. */
  text,
});
export type SessionShowAnswer = z.infer<typeof SessionShowAnswer>;

export const SessionLatestAnswer = z.object({
  schema: z.literal(1),
  /** Null when none resolves here. */
  session: z.nullable(SessionRecord),
  text: z.optional(text),
});
export type SessionLatestAnswer = z.infer<typeof SessionLatestAnswer>;

export const SessionContextInput = z.strictObject({
  /** This process's own episode when absent. */
  session_id: z.optional(text),
});
export const SessionContextAnswer = z.object({
  schema: z.literal(1),
  session_id: text,
  path: text,
  label: Divergence,
  recorded_head: z.nullable(text),
  /** Null where git cannot count them. */
  commits_since: z.nullable(z.int()),
  /** The document, whole. */
  text,
});
export type SessionContextAnswer = z.infer<typeof SessionContextAnswer>;
