/** 128 and the number of the signal: what a shell expects of a program that was interrupted. */
export const INTERRUPTED = 130;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Does something that goes on elsewhere, in a thread or in processes of a group of their own: who interrupts us
 * interrupts it too, by the signal that is handed in.
 */
export async function whileInterruptible<Value>(
  action: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  for (const name of SIGNALS) process.on(name, abort);
  try {
    return await action(controller.signal);
  } finally {
    for (const name of SIGNALS) process.off(name, abort);
  }
}
