import * as z from "zod/mini";
import { Balance, Divergence, Finding, Standing, WorkerState } from "../labels/terms.ts";
import { RecordView } from "../ledger/record-view.ts";
import { Offer } from "../records/continuity-cache.ts";

/**
 * The shapes that `lifecycle.*` and `continuity.state` answer with (records.md 13.2). Keys are the
 * wire's, so that every surface, and the original's readers, see the same names. Empty strings and
 * empty lists are left out.
 */

const text = z.string();
const count = z.int();

export const EpisodeView = z.object({
  session_id: text,
  /** The open file, absolute; of a lost worktree, where it was. */
  path: text,
  provider: z.optional(text),
  provider_session: z.optional(text),
  owner: z.optional(text),
  /** What the episode calls its worker; not a judgement. */
  worker: z.optional(text),
  worktree: z.optional(text),
  branch: z.optional(text),
  start_head: z.optional(text),
  started_at: z.optional(text),
  standing: Standing,
  /** False for an episode of another worktree of this repository, known from its registration. */
  here: z.boolean(),
  worker_state: WorkerState,
  /** What the judgement of the worker rests on: `pid 4411 ended`. */
  worker_note: z.optional(text),
  /** Why recovery would take it at once, when it would. */
  recoverable: z.optional(z.enum(["worktree_gone", "ended", "worker_gone"])),
  events: count,
  checkpoints: count,
  last_activity: z.optional(text),
  last_event: z.optional(text),
  /** The registration's heartbeat, a timestamp. */
  heartbeat: z.optional(text),
  tasks: z.optional(z.array(text)),
  continues: z.optional(text),
  /** Provider events that should have come and never did. */
  unseen: z.optional(z.array(text)),
  /** The command that takes away what is only a copy here. */
  remedy: z.optional(text),
  note: text,
});
export type EpisodeView = z.infer<typeof EpisodeView>;

export const EpisodesAnswer = z.object({
  present: z.boolean(),
  store: text,
  worktree: text,
  current: z.optional(text),
  episodes: z.optional(z.array(EpisodeView)),
  findings: z.optional(z.array(Finding)),
});
export type EpisodesAnswer = z.infer<typeof EpisodesAnswer>;

export const RecoveryAnswer = z.object({
  present: z.boolean(),
  pointer: z.object({
    /** `unknown` where it cannot be read. */
    layout: z.enum(["pointer", "inline", "absent", "unknown"]),
    target: z.optional(text),
    resolves: z.boolean(),
    session_id: z.optional(text),
    note: text,
  }),
  stranded: z.optional(z.array(z.object({ session_id: text, path: text, reason: text, remedy: text }))),
  orphans: z.optional(z.array(z.object({ path: text, bytes: count }))),
  /** Absent where an account of it cannot be read. */
  balance: z.optional(Balance),
  findings: z.optional(z.array(Finding)),
});
export type RecoveryAnswer = z.infer<typeof RecoveryAnswer>;

export const RuntimeAnswer = z.object({
  root: text,
  served_head: z.optional(text),
  served_branch: z.optional(text),
  served_working_tree: z.optional(text),
  repository_head: z.optional(text),
  repository_branch: z.optional(text),
  repository_working_tree: z.optional(text),
  agree: z.boolean(),
  objects: count,
  index_state: z.enum(["ok", "degraded"]),
  note: text,
});
export type RuntimeAnswer = z.infer<typeof RuntimeAnswer>;

export const ProviderView = z.object({
  id: text,
  title: text,
  lifecycle: z.optional(z.array(text)),
  prompt_capture: text,
  client_config: z.optional(text),
  wired: z.optional(z.array(text)),
  /** The newest receipt of each event in this worktree, by event name. */
  last_received: z.optional(z.record(text, text)),
  note: text,
});
export type ProviderView = z.infer<typeof ProviderView>;

export const ProvidersAnswer = z.object({
  providers: z.array(ProviderView),
  with_lifecycle: count,
  findings: z.optional(z.array(Finding)),
});
export type ProvidersAnswer = z.infer<typeof ProvidersAnswer>;

export const ClosedView = z.object({
  session_id: text,
  uri: text,
  path: text,
  created_at: z.optional(text),
  branch: z.optional(text),
  head: z.optional(text),
  outcome: z.optional(text),
  title: z.optional(text),
  divergence: z.optional(Divergence),
});
export type ClosedView = z.infer<typeof ClosedView>;

export const ClosedAnswer = z.object({
  /** Absent where the records cannot be listed. */
  total: z.optional(count),
  on_this_branch: z.optional(count),
  newest: z.optional(z.array(ClosedView)),
  window: count,
  findings: z.optional(z.array(Finding)),
});
export type ClosedAnswer = z.infer<typeof ClosedAnswer>;

export const SessionView = z.object({
  session_id: text,
  started_at: z.optional(text),
  owner: z.optional(text),
  provider: z.optional(text),
  provider_session: z.optional(text),
  branch: z.optional(text),
  start_head: z.optional(text),
  standing: Standing,
  divergence: Divergence,
  divergence_reason: text,
});
export type SessionView = z.infer<typeof SessionView>;

export { RecordView } from "../ledger/record-view.ts";

export const TaskView = z.object({
  id: text,
  title: text,
  profile: z.optional(text),
  outcome: text,
  scope: z.optional(z.array(text)),
  foreign: z.boolean(),
});
export type TaskView = z.infer<typeof TaskView>;

export const StateAnswer = z.object({
  present: z.boolean(),
  worktree: text,
  branch: text,
  head: z.optional(text),
  working_tree: z.optional(z.enum(["clean", "dirty"])),
  /** How many paths differ from the commit. */
  changed: z.optional(count),
  session: z.optional(SessionView),
  task: z.optional(TaskView),
  /** Why it is unknown whether there is a task: its record cannot be read. */
  task_unknown: z.optional(text),
  handover: z.optional(RecordView),
  /** Why it is unknown which handover resolves here: what holds them cannot be read. */
  handover_unknown: z.optional(text),
  checkpoint: z.optional(RecordView),
  checkpoint_unknown: z.optional(text),
  /** Why it is unknown whether an episode is open: what tells of them cannot be read. */
  session_unknown: z.optional(text),
  blockers: z.optional(z.array(text)),
  /** Why there may be more blockers than these: the question index, or a line of it, cannot be read. */
  blockers_unknown: z.optional(text),
  /** Handovers of other machines that could be resumed here, as the last sync noted them. */
  waiting: z.optional(z.array(Offer)),
  /** Each is absent where what is counted cannot be read. */
  tallies: z.object({
    open: z.optional(count),
    stranded: z.optional(count),
    closed: z.optional(count),
    ledger_lines: z.optional(count),
  }),
  findings: z.optional(z.array(Finding)),
});
export type StateAnswer = z.infer<typeof StateAnswer>;
