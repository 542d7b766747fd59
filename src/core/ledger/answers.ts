import * as z from "zod/mini";

/** What `history.query` is asked and answers. */
export const HistoryInput = z.strictObject({
  event: z.optional(z.string()),
  task: z.optional(z.string()),
  session: z.optional(z.string()),
  branch: z.optional(z.string()),
  /** Case-insensitive, anywhere in the line. */
  text: z.optional(z.string()),
  since: z.optional(z.string()),
  until: z.optional(z.string()),
  /** The newest so many; 200 when not given. */
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(100_000))),
});
export type HistoryInput = z.infer<typeof HistoryInput>;

export const HistoryLine = z.object({
  /** Byte offset of the line in the ledger: its identity while the ledger is not rotated. */
  offset: z.int(),
  ts: z.string(),
  event: z.string(),
  head: z.optional(z.string()),
  branch: z.optional(z.string()),
  by: z.optional(z.string()),
  session: z.optional(z.string()),
  task: z.optional(z.string()),
  /** The payload in one line, for people. */
  summary: z.string(),
  /** A path that the line names, when it names one. */
  record: z.optional(z.string()),
  /** False for an event that this version does not know: data, kept and counted. */
  registered: z.boolean(),
});
export type HistoryLine = z.infer<typeof HistoryLine>;

export const HistoryAnswer = z.object({
  /** Oldest first. */
  lines: z.array(HistoryLine),
  total: z.int(),
  matched: z.int(),
  /** How many matching lines the limit left out. */
  cut: z.int(),
  malformed: z.int(),
  unregistered: z.int(),
  torn_bytes: z.int(),
  /** Where the next reading may go on: the byte after the last complete line. */
  consumed: z.int(),
});
export type HistoryAnswer = z.infer<typeof HistoryAnswer>;
