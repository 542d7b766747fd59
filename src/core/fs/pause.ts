import { errnoOf } from "../base/error.ts";

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Blocks this thread for so many milliseconds without burning the processor. */
export function pause(milliseconds: number): void {
  if (milliseconds > 0) Atomics.wait(sleeper, 0, 0, milliseconds);
}

/** What a virus scanner or an indexer that holds a file for a moment makes a rename fail with. */
const TRANSIENT: ReadonlySet<string> = new Set(["EPERM", "EACCES", "EBUSY"]);

/** Milliseconds between attempts: 355 in all, so that a hook keeps most of its two seconds. */
const DELAYS = [5, 10, 20, 40, 80, 100, 100] as const;

/**
 * Runs `action` again while it fails with EPERM, EACCES or EBUSY, eight times within about 0.4 s.
 * Any other error, and the last of these, is thrown as it came.
 */
export function retryTransient<Value>(action: () => Value): Value {
  for (const delay of DELAYS) {
    try {
      return action();
    } catch (error) {
      if (!TRANSIENT.has(errnoOf(error) ?? "")) throw error;
      pause(delay);
    }
  }
  return action();
}
