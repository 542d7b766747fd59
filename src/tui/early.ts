import { answerError } from "../core/capabilities/answer.ts";
import type { Answer } from "../core/capabilities/answer.ts";
import type { Progress } from "../core/capabilities/capability.ts";
import type { Ask } from "./options.ts";
import { FIRST, QUESTIONS } from "./questions.ts";

type Tell = (progress: Progress) => void;

interface EarlyAnswer {
  answer: Promise<Answer>;
  /** Lets somebody be told of the progress from now on. */
  follow: (tell: Tell | undefined) => void;
}

function askNow(ask: Ask, root: string, capability: string, input: unknown): EarlyAnswer {
  let tell: Tell | undefined;
  const answer = ask
    .run(root, capability, input, { onProgress: (progress) => tell?.(progress) })
    .catch((error: unknown): Answer => ({ ok: false, error: answerError(error) }));
  return {
    answer,
    follow: (next) => {
      tell = next;
    },
  };
}

/**
 * Asks the first questions at once, so that the workers read the disk while this thread still loads the
 * libraries that draw. Whoever asks one of them again gets the answer that is already on its way.
 */
export function askEarly(ask: Ask, roots: readonly string[]): Ask {
  const early = new Map<string, EarlyAnswer>();
  for (const root of roots) {
    for (const name of FIRST) {
      const { capability, input } = QUESTIONS[name];
      early.set(keyOf(root, capability, input), askNow(ask, root, capability, input));
    }
  }
  return {
    ...ask,
    run(root, id, input, options = {}) {
      const key = keyOf(root, id, input);
      const entry = early.get(key);
      if (entry === undefined) return ask.run(root, id, input, options);
      early.delete(key);
      entry.follow(options.onProgress);
      return entry.answer;
    },
  };
}

function keyOf(root: string, capability: string, input: unknown): string {
  return JSON.stringify([root, capability, input]);
}
