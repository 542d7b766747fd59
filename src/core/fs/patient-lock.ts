import { elapsedMilliseconds } from "../base/elapsed.ts";
import type { Patience } from "../base/patience.ts";
import { withLock } from "./lock.ts";
import type { HeldLock } from "./lock.ts";

/**
 * Does something under a lock, and takes the time that was spent waiting for it from the caller's patience.
 *
 * @throws LockTimeout when patience ran out first.
 */
export function withPatientLock<Value>(
  path: string,
  patience: Patience,
  action: (lock: HeldLock) => Value,
): Value {
  const asked = elapsedMilliseconds();
  let taken: number | undefined;
  try {
    return withLock(path, { waitMilliseconds: patience.remaining() }, (lock) => {
      taken = elapsedMilliseconds();
      return action(lock);
    });
  } finally {
    patience.spend((taken ?? elapsedMilliseconds()) - asked);
  }
}
