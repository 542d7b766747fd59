import { errorOfAnswer } from "../core/capabilities/answer.ts";
import type { Capability } from "../core/capabilities/capability.ts";
import { createPool } from "../workers/pool.ts";
import { openHere } from "./ask.ts";
import type { CommandContext } from "./declaration.ts";
import { whileInterruptible } from "./interruptible.ts";

const PROGRESS_MILLISECONDS = 1000;

/**
 * Asks one heavy thing in the pool, and says each second how far it has come. Who interrupts it interrupts a
 * reading at once, and a writing between two of its acts.
 *
 * @param noun of what is counted.
 * @returns undefined for a reading that was interrupted.
 * @throws MajordomusError as {@link openHere}; whatever the capability throws.
 */
export async function askInPool<Input, Answer>(
  context: CommandContext,
  capability: Capability<Input, Answer>,
  input: Input,
  noun: string,
): Promise<Answer | undefined> {
  await openHere(context);
  return whileInterruptible(async (signal) => {
    const pool = createPool({ entry: context.program.worker, threads: 1 });
    // Counted from the first word: how long a thread takes to start is nobody's progress.
    let told: number | undefined;
    try {
      const answer = await pool.run(context.directory, capability.id, input, {
        signal,
        onProgress: ({ done, total }) => {
          const now = performance.now();
          told ??= now;
          if (now - told < PROGRESS_MILLISECONDS) return;
          told = now;
          context.output.warn(`${done} of ${total ?? "?"} ${noun}`);
        },
      });
      if (answer.ok) return answer.value as Answer;
      if (signal.aborted && answer.error.code === "cancelled") return undefined;
      throw errorOfAnswer(answer.error);
    } finally {
      await pool.close();
    }
  });
}
