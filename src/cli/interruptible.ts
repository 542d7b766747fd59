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

/** A turn of the loop, in which a signal that has come is handed on. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/**
 * Does something that may be left before it changes anything, and afterwards is brought to its end: what was spent
 * must be told. A signal ends nobody meanwhile.
 *
 * @param prepare reads only.
 * @param act from here on nothing is broken off.
 * @returns undefined where a signal came before `act`, which then was not begun.
 */
export async function leavableBefore<Prepared, Value>(
  prepare: () => Promise<Prepared>,
  act: (prepared: Prepared) => Promise<Value>,
): Promise<Value | undefined> {
  return whileInterruptible(async (signal) => {
    const prepared = await prepare();
    await nextTurn();
    if (signal.aborted) return undefined;
    const value = await act(prepared);
    // What came meanwhile is taken before signals end us again.
    await nextTurn();
    return value;
  });
}
