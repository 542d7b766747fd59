import { answerError, CANCELLED } from "../core/capabilities/answer.ts";
import type { Answer } from "../core/capabilities/answer.ts";
import type { Progress } from "../core/capabilities/capability.ts";
import type { AskOptions } from "./ask.ts";

type Wish = Pick<AskOptions, "signal" | "onProgress">;

/** One reading that several wait for. */
export interface SharedReading {
  answer: Promise<Answer>;
  /**
   * Waits for the answer like everybody else, and hears how far it is. Whoever is aborted waits no longer; the work is
   * stopped when nobody waits for it any more.
   */
  join: (wish: Wish) => Promise<Answer>;
  /** Whether the work was stopped: it has no answer for whoever comes now. */
  isAbandoned: () => boolean;
}

async function answered(run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    return { ok: false, error: answerError(error) };
  }
}

/**
 * Begins a reading.
 *
 * @param milliseconds after which it is stopped, whoever waits.
 */
export function beginReading(run: (wish: Wish) => Promise<Answer>, milliseconds: number): SharedReading {
  const controller = new AbortController();
  const watchers = new Set<(progress: Progress) => void>();
  const timer = setTimeout(() => controller.abort(), milliseconds).unref();
  let waiting = 0;
  const answer = answered(() =>
    run({
      signal: controller.signal,
      onProgress: (progress) => {
        for (const watch of watchers) watch(progress);
      },
    }),
  ).finally(() => clearTimeout(timer));
  return {
    answer,
    isAbandoned: () => controller.signal.aborted,
    join: ({ signal, onProgress }) => {
      if (signal?.aborted === true) return Promise.resolve(CANCELLED);
      waiting += 1;
      if (onProgress !== undefined) watchers.add(onProgress);
      return new Promise((resolve) => {
        const leave = (given: Answer): void => {
          signal?.removeEventListener("abort", giveUp);
          if (onProgress !== undefined) watchers.delete(onProgress);
          resolve(given);
        };
        const giveUp = (): void => {
          waiting -= 1;
          if (waiting === 0) controller.abort();
          leave(CANCELLED);
        };
        signal?.addEventListener("abort", giveUp);
        void answer.then(leave);
      });
    },
  };
}
