import type { Answer } from "../core/capabilities/answer.ts";
import type { Progress } from "../core/capabilities/capability.ts";

export interface AskOptions {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** The open episode on whose behalf this is asked, by its id; the one that the pointer names when absent. */
  episode?: string;
}

/** An answer, and what to call where it turns out not to have reached whoever asked: then nothing was spent for it. */
export type Given = Answer & { lost?: () => void };

/** How a surface asks a capability, wherever it runs; failures come back as values. */
export type Ask = (id: string, input: unknown, options?: AskOptions) => Promise<Given>;

/** An answer that stands already and may be given at once, without a wait; undefined where one has to ask. */
export type Recall = (id: string, input: unknown, episode?: string) => Answer | undefined;
