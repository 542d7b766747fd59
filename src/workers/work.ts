import type { Cancellation } from "../core/base/cancellation.ts";
import { answerError } from "../core/capabilities/answer.ts";
import type { Answer } from "../core/capabilities/answer.ts";
import type { Progress } from "../core/capabilities/capability.ts";
import { runCapability } from "../core/capabilities/run.ts";
import { actFor } from "../core/boundary/act-for.ts";
import type { Spending } from "../core/capsule/spend.ts";
import { openCheckout } from "../core/checkout/open.ts";
import { surroundingsOf } from "./surroundings.ts";

export interface WorkOptions {
  environment: Readonly<Record<string, string | undefined>>;
  /** The open episode that this is asked for; where none is named, the one that the environment or the pointer names. */
  episode?: string;
  signal?: Cancellation;
  progress?: (progress: Progress) => void;
}

/**
 * Opens the checkout that contains `root` and runs one capability in it. Failures come back as values, so
 * that the answer is the same in this thread and from another.
 */
export async function work(root: string, id: string, input: unknown, options: WorkOptions): Promise<Answer> {
  try {
    const opened = await openCheckout(root, surroundingsOf(options.environment));
    const checkout = options.episode === undefined ? opened : actFor(opened, options.episode);
    const spendings: Spending[] = [];
    const value = await runCapability(checkout, id, input, {
      ifUnheard: (spending) => void spendings.push(spending),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      ...(options.progress === undefined ? {} : { progress: options.progress }),
    });
    return { ok: true, value, ...(spendings.length === 0 ? {} : { spendings }) };
  } catch (error) {
    return { ok: false, error: answerError(error) };
  }
}
