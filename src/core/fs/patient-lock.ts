import { elapsedMilliseconds } from "../base/elapsed.ts";
import type { Patience } from "../base/patience.ts";
import { withLock } from "./lock.ts";
import type { HeldLock, LockOptions } from "./lock.ts";

/** Terms of a lock that is not only ours. */
export interface LockTerms extends Omit<LockOptions, "waitMilliseconds"> {
  /** The longest that it is waited for, in milliseconds, however much patience there is. */
  longest?: number;
}

/**
 * Does something under a lock, and takes the time that was spent waiting for it from the caller's patience.
 *
 * @throws LockTimeout when patience ran out first.
 */
export function withPatientLock<Value>(
  path: string,
  patience: Patience,
  action: (lock: HeldLock) => Value,
  { longest = Infinity, ...terms }: LockTerms = {},
): Value {
  const asked = elapsedMilliseconds();
  let taken: number | undefined;
  try {
    const waitMilliseconds = Math.min(patience.remaining(), longest);
    return withLock(path, { ...terms, waitMilliseconds }, (lock) => {
      taken = elapsedMilliseconds();
      return action(lock);
    });
  } finally {
    patience.spend((taken ?? elapsedMilliseconds()) - asked);
  }
}
