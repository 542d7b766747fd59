const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Does something that started processes in groups of their own: who interrupts us interrupts them too, by the
 * signal that is handed in.
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
