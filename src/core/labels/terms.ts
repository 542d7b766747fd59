import * as z from "zod/mini";

/** The closed vocabularies that records are judged in. Each is a schema and its type. */

const text = z.string();
const count = z.int();

export const Standing = z.enum(["current", "open", "foreign", "stranded"]);
export type Standing = z.infer<typeof Standing>;

export const WorkerState = z.enum(["alive", "gone", "unknown"]);
export type WorkerState = z.infer<typeof WorkerState>;

export const Divergence = z.enum(["exact", "advanced", "diverged", "different_context", "unknown"]);
export type Divergence = z.infer<typeof Divergence>;

/** What git can prove about a commit that is not in this history, as keys of an answer: commit ids. */
export const HINTS = { rebased_to: z.optional(text), merged_as: z.optional(text) };
/** The hints about one recorded commit. */
export const HintsAnswer = z.object({ head: text, ...HINTS });
export type HintsAnswer = z.infer<typeof HintsAnswer>;

export const Freshness = z.enum(["fresh", "aging", "stale", "unknown", "invalid"]);
export type Freshness = z.infer<typeof Freshness>;

export const Finding = z.object({
  level: z.enum(["OK", "INFO", "WARN", "FAIL", "DRIFT"]),
  category: text,
  subject: text,
  message: text,
  reproduce: z.optional(text),
});
export type Finding = z.infer<typeof Finding>;

/** Started = closed + recovered + open + unaccounted, over the distinct episode ids of every store. */
export const Balance = z.object({
  started: count,
  closed: count,
  recovered: count,
  open: count,
  unaccounted: count,
  agrees: z.boolean(),
  note: text,
});
export type Balance = z.infer<typeof Balance>;
