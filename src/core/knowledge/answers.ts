import * as z from "zod/mini";
import { Finding } from "../labels/terms.ts";

/** What the `knowledge.*` capabilities are asked and answer. Keys are the wire's; paths are relative to the work tree. */

const text = z.string();
const count = z.int();
const Version = z.literal(1);

export const DeriveInput = z.strictObject({
  /** This process's own open episode when absent. */
  episode: z.optional(text),
  /** Every closed episode that the ledger knows. */
  all: z.optional(z.boolean()),
  /** Say what would be written, and write nothing. */
  dry_run: z.optional(z.boolean()),
});
export type DeriveInput = z.infer<typeof DeriveInput>;

export const DeriveAnswer = z.object({
  schema: Version,
  /** Null when none was named and none is open, and when it was asked for all. */
  episode: z.nullable(text),
  dry_run: z.boolean(),
  /** How many episodes were gone through. */
  episodes: count,
  written: z.array(text),
  unchanged: z.array(text),
  skipped: z.array(z.object({ path: text, why: text })),
  /** Closed records whose ledger lines are not in this checkout: nothing can be derived from them here. */
  without_ledger: count,
  /** Episodes that were not gone through, because it was cancelled. */
  left: count,
});
export type DeriveAnswer = z.infer<typeof DeriveAnswer>;

/** `not-here`: only another checkout could tell. `unknown`: git could not. */
export const EvidenceState = z.enum(["resolved", "dangling", "not-here", "unknown"]);
export type EvidenceState = z.infer<typeof EvidenceState>;

/** One reference of a record, and whether what it names is still there. */
export const Evidence = z.object({ reference: text, state: EvidenceState, reason: text });
export type Evidence = z.infer<typeof Evidence>;

/** Of all references of a record the worst state; `none` where it names nothing. */
export const EvidenceSummary = z.enum(["resolved", "dangling", "not-here", "unknown", "none"]);
export type EvidenceSummary = z.infer<typeof EvidenceSummary>;

export const CandidatesInput = z.strictObject({
  /** Rejected ones too. */
  all: z.optional(z.boolean()),
});

export const CandidateView = z.object({
  id: text,
  class: text,
  status: text,
  epistemics: text,
  date: text,
  /** Null where the record names none. */
  episode: z.nullable(text),
  /** Null where this checkout does not know the episode. */
  branch: z.nullable(text),
  path: text,
  title: text,
  description: text,
  /** What the title answers, where the record was derived from an answered question. */
  question: z.optional(text),
  /** Its day as a timestamp: what an age is told from. Empty where the day is none. */
  recorded_at: text,
  evidence: EvidenceSummary,
  /** What is wrong with the record, one clause each. */
  faults: z.array(text),
  /** SHA-256 of the file: what a later act may insist on. */
  digest: text,
});
export type CandidateView = z.infer<typeof CandidateView>;

const SkippedView = z.object({ path: text, reason: text });

export const CandidatesAnswer = z.object({
  schema: Version,
  candidates: z.array(CandidateView),
  /** How many of them wait for a person. */
  awaiting: count,
  /** Files in a record's place that are none. */
  skipped: z.array(SkippedView),
});
export type CandidatesAnswer = z.infer<typeof CandidatesAnswer>;

/** `valid`: of this very file. */
export const SignatureView = z.object({
  state: z.enum(["none", "valid", "invalid"]),
  reason: text,
  /** The device that signed. */
  node: z.optional(text),
  this_device: z.optional(z.boolean()),
});
export type SignatureView = z.infer<typeof SignatureView>;

const LinkView = z.object({ id: text, title: text, status: text, path: text });
export type LinkView = z.infer<typeof LinkView>;

export const ShowAnswer = z.object({
  schema: Version,
  record: z.extend(CandidateView, {
    shelf: z.enum(["candidates", "curated"]),
    tags: z.array(text),
    origin: text,
    superseded_by: z.nullable(text),
    /** The record whole, byte for byte. */
    text,
  }),
  evidence: z.array(Evidence),
  signature: SignatureView,
  /** What this record took the place of, nearest first, and what took its place, nearest first. */
  supersedes: z.array(LinkView),
  superseded_by: z.array(LinkView),
  /** The chain leads back to itself, or to nothing; one clause. */
  chain_fault: z.nullable(text),
});
export type ShowAnswer = z.infer<typeof ShowAnswer>;

export const PromoteInput = z.strictObject({
  id: text,
  /** What a person verified it by. */
  evidence: text,
  /** One of the classes that may be written; another is a finding, not a usage error (records.md 12.5). */
  class: z.optional(text),
  /** Sign the record with this device's key, which is made on first use. */
  sign: z.optional(z.boolean()),
  /** The digest of the file that was looked at: another file is not touched. */
  expect: z.optional(text),
  dry_run: z.optional(z.boolean()),
});
export type PromoteInput = z.infer<typeof PromoteInput>;

export const PromoteAnswer = z.object({
  schema: Version,
  /** `kept`: it was promoted before, and what was left to do is done. `changed`: the file is not the one expected. */
  state: z.enum(["promoted", "kept", "changed", "planned"]),
  id: text,
  path: text,
  /** The signature's file, where there is one. */
  signature: z.optional(text),
  /** What would be written, for `planned`. */
  text: z.optional(text),
  notes: z.array(text),
});
export type PromoteAnswer = z.infer<typeof PromoteAnswer>;

export const RejectInput = z.strictObject({
  id: text,
  reason: text,
  /** The record that says it better. */
  by: z.optional(text),
  expect: z.optional(text),
  dry_run: z.optional(z.boolean()),
});
export type RejectInput = z.infer<typeof RejectInput>;

export const RejectAnswer = z.object({
  schema: Version,
  state: z.enum(["rejected", "kept", "changed", "planned"]),
  id: text,
  path: text,
  text: z.optional(text),
});
export type RejectAnswer = z.infer<typeof RejectAnswer>;

export const KnowledgeCheckAnswer = z.object({
  schema: Version,
  records: count,
  findings: z.array(Finding),
});
export type KnowledgeCheckAnswer = z.infer<typeof KnowledgeCheckAnswer>;

export const SourcesAnswer = z.object({
  schema: Version,
  sources: z.array(
    z.object({
      event: text,
      condition: text,
      title: text,
      title_with_reason: z.optional(text),
      description: text,
      description_outside_task: z.optional(text),
      class: text,
      epistemics: text,
      tag: text,
      canonical_lines: z.array(text),
    }),
  ),
});
export type SourcesAnswer = z.infer<typeof SourcesAnswer>;
