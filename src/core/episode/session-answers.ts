import * as z from "zod/mini";
import { Divergence } from "../labels/terms.ts";

/** What the `session.*` capabilities are asked and answer (records.md 3.4). Keys are the wire's. */

const text = z.string();

export const SessionOutcome = z.enum(["closed", "interrupted"]);

export const SessionStartInput = z.object({
  owner: z.optional(text),
  worker: z.optional(text),
  /** What to do when this worktree's episode is open already. @default refuse */
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
  /** The working context document, relative to the repository. */
  working_context: z.optional(text),
  continues: z.optional(text),
  /** What a person should know: a foreign record replaced, a worktree that moved. */
  notes: z.optional(z.array(text)),
});
export type SessionStartAnswer = z.infer<typeof SessionStartAnswer>;

export const SessionStatusInput = z.object({ provider_session: z.optional(text) });

export const OpenSession = z.object({
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

export const SessionCloseInput = z.object({
  /** The episode of this store to close; this process's own when absent. */
  session_id: z.optional(text),
  provider_session: z.optional(text),
  /** @default closed */
  outcome: z.optional(SessionOutcome),
  /** What to do when nothing is open. @default refuse */
  if_none: z.optional(z.enum(["refuse", "ignore"])),
  /** The authored body of the record. */
  summary: z.optional(text),
});
export type SessionCloseInput = z.infer<typeof SessionCloseInput>;

export const SessionCloseAnswer = z.object({
  schema: z.literal(1),
  /** `kept`: the store had this episode's record already, and it stands. */
  state: z.enum(["closed", "kept", "none"]),
  session_id: z.optional(text),
  /** The record, relative to the repository. */
  path: z.optional(text),
  notes: z.optional(z.array(text)),
});
export type SessionCloseAnswer = z.infer<typeof SessionCloseAnswer>;

export const SessionListInput = z.object({ all: z.optional(z.boolean()) });

export const ListedSession = z.object({
  session_id: text,
  created_at: text,
  outcome: SessionOutcome,
  branch: z.optional(text),
  label: Divergence,
  /** Relative to the repository. */
  path: text,
});

export const SessionListAnswer = z.object({
  schema: z.literal(1),
  /** Newest first. */
  sessions: z.array(ListedSession),
  /** Files of the store that are no records, with the reason. */
  skipped: z.array(z.object({ path: text, reason: text })),
});
export type SessionListAnswer = z.infer<typeof SessionListAnswer>;

export const ShownSession = z.object({
  session_id: text,
  started_at: text,
  closed_at: text,
  outcome: SessionOutcome,
  branch: z.nullable(text),
  label: Divergence,
  /** How it resolves here; null where it does not. */
  match: z.nullable(z.enum(["same_worktree_same_branch", "same_branch"])),
  /** Relative to the repository. */
  path: text,
});

export const SessionShowInput = z.object({ session_id: text });
export const SessionShowAnswer = z.object({
  schema: z.literal(1),
  session: ShownSession,
  /** The record, whole, as it stands on disk. */
  text,
});
export type SessionShowAnswer = z.infer<typeof SessionShowAnswer>;

export const SessionLatestInput = z.object({});
export const SessionLatestAnswer = z.object({
  schema: z.literal(1),
  /** Null when none resolves here. */
  latest: z.nullable(ShownSession),
  text: z.optional(text),
});
export type SessionLatestAnswer = z.infer<typeof SessionLatestAnswer>;

export const SessionContextInput = z.object({ session_id: z.optional(text) });
export const SessionContextAnswer = z.object({
  schema: z.literal(1),
  session_id: text,
  /** Relative to the repository. */
  path: text,
  label: Divergence,
  recorded_head: z.nullable(text),
  /** Null where git cannot count them. */
  commits_since: z.nullable(z.int()),
  text,
});
export type SessionContextAnswer = z.infer<typeof SessionContextAnswer>;
