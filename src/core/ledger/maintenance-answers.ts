import * as z from "zod/mini";
import { Finding } from "../labels/terms.ts";

/** What `history.validate` and `history.rotate` answer. */

const LinePlace = z.object({
  /** From 1. */
  line: z.int(),
  /** Byte offset. */
  offset: z.int(),
});

export const HistoryValidateAnswer = z.object({
  lines: z.int(),
  malformed: z.array(LinePlace),
  /** Lines whose event this version does not know. */
  unregistered: z.array(z.extend(LinePlace, { event: z.string() })),
  /** Bytes after the last newline, and where they begin. */
  torn_bytes: z.int(),
  torn_offset: z.int(),
  /** One for each of the above; a single OK when there is none. */
  findings: z.array(Finding),
});
export type HistoryValidateAnswer = z.infer<typeof HistoryValidateAnswer>;

export const HistoryRotateAnswer = z.object({
  archived: z.int(),
  kept: z.int(),
  /** The archive, relative to the repository; absent when there was nothing to move. */
  archive: z.optional(z.string()),
});
export type HistoryRotateAnswer = z.infer<typeof HistoryRotateAnswer>;
