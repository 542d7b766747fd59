import * as z from "zod/mini";
import { REJECTION_REASONS, UNAVAILABLE_REASONS } from "./reasons.ts";

/** Where capsules lie, or why that cannot be told. */
export const MemoryView = z.object({
  root: z.optional(z.string()),
  relative: z.optional(z.string()),
  source: z.optional(z.enum(["configured", "default"])),
  exists: z.boolean(),
  /** A test's lever diverts memory to another place. */
  diverted: z.boolean(),
  /** The whole `MEMORY-ROOT:` line. */
  error: z.optional(z.string()),
});
export type MemoryView = z.infer<typeof MemoryView>;

const Verdict = z.enum(["selected", ...REJECTION_REASONS]);

/** One file of the capsules directory and what the selector says of it. */
export const CapsuleFile = z.object({
  name: z.string(),
  verdict: Verdict,
  detail: z.optional(z.string()),
  /** The field that the verdict is about. */
  field: z.optional(z.string()),
  /** The ordinary past, not a capsule that was written and then discarded. */
  ordinary: z.boolean(),
  id: z.optional(z.string()),
  status: z.optional(z.string()),
  objective: z.optional(z.string()),
  created_at: z.optional(z.string()),
  autosave: z.optional(z.boolean()),
  captured: z.optional(z.string()),
});
export type CapsuleFile = z.infer<typeof CapsuleFile>;

export const CapsuleGroup = z.object({
  reason: z.enum(REJECTION_REASONS),
  detail: z.optional(z.string()),
  count: z.int(),
  /** The first three. */
  names: z.array(z.string()),
  ordinary: z.boolean(),
});

/** The values of a capsule, for people; times are instants, ages are for whoever shows them. */
export const CapsuleValues = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string(),
  status: z.string(),
  objective: z.string(),
  waiting_on: z.string(),
  next_valid_action: z.string(),
  /** ISO 8601 in UTC; absent where `created_at` is no stamp. */
  created: z.optional(z.string()),
  created_at: z.string(),
  updated_at: z.optional(z.string()),
  autosave: z.boolean(),
  captured: z.optional(z.string()),
  stale: z.boolean(),
  placeholder: z.boolean(),
  problems: z.array(z.string()),
});
export type CapsuleValues = z.infer<typeof CapsuleValues>;

export const CapsuleListAnswer = z.object({
  schema: z.literal(1),
  memory: MemoryView,
  unavailable: z.optional(z.enum(UNAVAILABLE_REASONS)),
  /** How many files end in `.md`; every one of them is in `files`. */
  total: z.int(),
  files: z.array(CapsuleFile),
});
export type CapsuleListAnswer = z.infer<typeof CapsuleListAnswer>;

const RejectedFile = z.object({
  name: z.string(),
  reason: z.enum(REJECTION_REASONS),
  detail: z.optional(z.string()),
  field: z.optional(z.string()),
  ordinary: z.boolean(),
});
export type RejectedFile = z.infer<typeof RejectedFile>;

export const CapsuleSelectAnswer = z.object({
  schema: z.literal(1),
  memory: MemoryView,
  capsule: z.nullable(CapsuleValues),
  /** Why a clear would read and spend nothing now, whatever is selected: somebody conducts several sessions. */
  deferred: z.optional(z.string()),
  /** The capsule is a placeholder, chosen because nothing else could be. */
  fell_back_to_placeholder: z.boolean(),
  unavailable: z.optional(z.enum(UNAVAILABLE_REASONS)),
  total: z.int(),
  /** Counts of the groups, and one for the selected, add up to `total`. */
  groups: z.array(CapsuleGroup),
  rejected: z.array(RejectedFile),
});
export type CapsuleSelectAnswer = z.infer<typeof CapsuleSelectAnswer>;

export const CapsuleShowAnswer = z.object({
  schema: z.literal(1),
  capsule: CapsuleValues,
  verdict: Verdict,
  detail: z.optional(z.string()),
  field: z.optional(z.string()),
  /** What its framing lacks. */
  framing: z.array(z.string()),
  text: z.string(),
});
export type CapsuleShowAnswer = z.infer<typeof CapsuleShowAnswer>;

export const CapsuleValidateAnswer = z.object({
  schema: z.literal(1),
  findings: z.array(
    z.object({
      level: z.enum(["OK", "WARN", "FAIL"]),
      category: z.string(),
      subject: z.string(),
      message: z.string(),
      reproduce: z.optional(z.string()),
    }),
  ),
});
export type CapsuleValidateAnswer = z.infer<typeof CapsuleValidateAnswer>;

/** What a resume came to as data, so that nobody has to read it out of the text (capsules.md 5.5). */
export const CapsuleResumeAnswer = z.object({
  schema: z.literal(1),
  capsule: z.nullable(CapsuleValues),
  degraded: z.boolean(),
  spent: z.boolean(),
  not_spent: z.optional(z.object({ name: z.string(), reason: z.string() })),
  /** Why nothing could be selected; only where no capsule was loaded. */
  unavailable: z.optional(z.enum(UNAVAILABLE_REASONS)),
  /** Every file but the one that was loaded, or could not be spent; absent only from an answer that is brief. */
  rejected: z.optional(z.array(RejectedFile)),
  /** Which session asks, by its only authority; null where none supplied an id. */
  boot_session: z.nullable(
    z.object({
      session_id: z.string(),
      source: z.string(),
      receipt_check: z.enum(["match", "mismatch", "receipt-unavailable"]),
      receipt_session_id: z.optional(z.string()),
    }),
  ),
  /** What the install declares; all of it null or empty where the declaration was refused. */
  extension: z.object({
    resume_ack: z.nullable(z.string()),
    capsule_ack: z.nullable(z.string()),
    resume_preload: z.array(z.string()),
    resume_reground: z.array(z.string()),
    warning: z.nullable(z.string()),
  }),
  /** Why a clear would read and spend nothing now: somebody conducts several sessions at once. */
  deferred: z.optional(z.string()),
  memory_root_error: z.optional(z.string()),
  extension_warning: z.optional(z.string()),
  /** The procedure, exactly as a start prints it. */
  procedure: z.string(),
});
export type CapsuleResumeAnswer = z.infer<typeof CapsuleResumeAnswer>;

export const CapsuleWriteAnswer = z.object({ schema: z.literal(1), id: z.string(), path: z.string() });
export const CapsuleSettleAnswer = z.object({
  schema: z.literal(1),
  state: z.enum(["settled", "kept"]),
  name: z.string(),
  before: z.string(),
  status: z.string(),
});
export const CapsuleCompactAnswer = z.object({
  schema: z.literal(1),
  state: z.enum(["compacted", "nothing"]),
  /** The chain from its head, newest first. */
  chain: z.array(z.string()),
  summary: z.optional(z.string()),
  compacted: z.array(z.string()),
});
export const CapsulePointAnswer = z.object({
  schema: z.literal(1),
  state: z.enum(["pointed", "refused"]),
  name: z.string(),
  reason: z.optional(z.string()),
});
