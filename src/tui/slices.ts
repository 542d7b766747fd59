import type * as z from "zod/mini";
import type { AnswerError } from "../core/capabilities/answer.ts";
import type { Progress } from "../core/capabilities/capability.ts";
import type { ANSWERS } from "./answers.ts";
import { QUESTIONS } from "./questions.ts";
import type { SliceName } from "./questions.ts";

export type SliceState = "idle" | "loading" | "ready" | "stale" | "failed";

/** One capability's answer and how far it can be believed. */
export interface Slice<Data> {
  state: SliceState;
  data?: Data;
  /** When the answer came, milliseconds. */
  at?: number;
  error?: AnswerError;
  progress?: Progress;
}

/** What is known about one repository. */
export type Slices = { [Name in SliceName]: Slice<z.infer<(typeof ANSWERS)[Name]>> };

export const SLICE_NAMES = Object.keys(QUESTIONS) as SliceName[];

export function idleSlices(): Slices {
  return Object.fromEntries(SLICE_NAMES.map((name) => [name, { state: "idle" }])) as unknown as Slices;
}
