import type { Answer } from "../core/capabilities/answer.ts";

/** How long an answer about the store's standing may be given again, in milliseconds (records.md 15). */
const FRESH_MILLISECONDS = 2_000;

/** From this age on whoever asks has it renewed. */
const AGING_MILLISECONDS = 1_500;

/** Whoever asks for a thousand windows of the same list gets them, and leaves so many behind. */
const MOST = 64;

/** Answers that are given again for a while. */
export interface StandingAnswers {
  keep: (key: string, answer: Answer) => void;
  /** @returns undefined for what is not kept, or too old */
  find: (key: string) => { answer: Answer; isAging: boolean } | undefined;
  /** Something was written: nothing that is kept can be trusted. */
  forget: () => void;
}

/** @param now milliseconds of a clock that never goes back. */
export function createStandingAnswers(now: () => number): StandingAnswers {
  const kept = new Map<string, { answer: Answer; at: number }>();
  return {
    keep: (key, answer) => {
      kept.delete(key);
      const [oldest] = kept.keys();
      if (kept.size >= MOST && oldest !== undefined) kept.delete(oldest);
      kept.set(key, { answer, at: now() });
    },
    find: (key) => {
      const found = kept.get(key);
      if (found === undefined) return undefined;
      const age = now() - found.at;
      if (age >= FRESH_MILLISECONDS) {
        kept.delete(key);
        return undefined;
      }
      return { answer: found.answer, isAging: age >= AGING_MILLISECONDS };
    },
    forget: () => kept.clear(),
  };
}
