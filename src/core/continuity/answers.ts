import * as z from "zod/mini";
import { RecordView } from "./views.ts";

/** The shapes that `continuity.*` answers with (records.md 14); keys are the wire's. */

const text = z.string();

export const PublishInput = z.strictObject({
  handover: z.optional(text),
  issue: z.optional(text),
  milestone: z.optional(text),
});

export const PublishAnswer = z.object({
  record: RecordView,
  /** False where the same was published before. */
  written: z.boolean(),
  /** The store's commit. */
  tip: z.optional(text),
  /** The handover's file, relative to the work tree. */
  handover: text,
  /** What a person would do next; never done by itself. */
  next: z.array(text),
});
export type PublishAnswer = z.infer<typeof PublishAnswer>;
