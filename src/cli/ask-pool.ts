import { errorOfAnswer } from "../core/capabilities/answer.ts";
import type { Answer } from "../core/capabilities/answer.ts";
import type { Capability } from "../core/capabilities/capability.ts";
import { createPool } from "../workers/pool.ts";
import type { AskOptions } from "../workers/pool.ts";
import type { CommandContext } from "./declaration.ts";
import { whileInterruptible } from "./interruptible.ts";

const PROGRESS_MILLISECONDS = 1000;

/** Says each second how far something has come; counted from the first word, as to start a thread is nobody's progress. */
function progressTo({ output }: CommandContext, noun: string): NonNullable<AskOptions["onProgress"]> {
  let told: number | undefined;
  return ({ done, total }) => {
    const now = performance.now();
    told ??= now;
    if (now - told < PROGRESS_MILLISECONDS) return;
    told = now;
    output.warn(`${done} of ${total ?? "?"} ${noun}`);
  };
}

/**
 * Runs one heavy thing in a thread of the pool, and says each second how far it has come. Who interrupts it
 * interrupts a reading at once, and a writing between two of its acts.
 *
 * @param noun of what is counted.
 * @returns the answer, a failure among them; undefined for a reading that was interrupted.
 */
export function runInPool(
  context: CommandContext,
  { id, effect }: Pick<Capability, "id" | "effect">,
  input: unknown,
  noun: string,
): Promise<Answer | undefined> {
  const { directory, program, surroundings } = context;
  return whileInterruptible(async (signal) => {
    const pool = createPool({ entry: program.worker, threads: 1, environment: surroundings.environment });
    try {
      const answer = await pool.run(directory, id, input, {
        signal,
        onProgress: progressTo(context, noun),
        reads: effect === "read",
      });
      return !answer.ok && signal.aborted && answer.error.code === "cancelled" ? undefined : answer;
    } finally {
      await pool.close();
    }
  });
}

/**
 * Asks one heavy thing in the pool, as {@link runInPool}, of a checkout that was opened here already.
 *
 * @returns undefined for a reading that was interrupted.
 * @throws MajordomusError whatever the capability throws.
 */
export async function askInPool<Input, Value>(
  context: CommandContext,
  capability: Capability<Input, Value>,
  input: Input,
  noun: string,
): Promise<Value | undefined> {
  const answer = await runInPool(context, capability, input, noun);
  if (answer === undefined) return undefined;
  if (answer.ok) return answer.value as Value;
  throw errorOfAnswer(answer.error);
}
