import { basename } from "node:path";
import type { Clock } from "../base/clock.ts";
import type { Patience } from "../base/patience.ts";
import { failed, ok } from "../base/result.ts";
import type { Result } from "../base/result.ts";
import { isLockTimeout } from "../fs/lock.ts";
import { withPatientLock } from "../fs/patient-lock.ts";
import { readText } from "../fs/read.ts";
import { writeAtomic } from "../fs/write.ts";

/** The text of a state file; undefined where there is none that can be read, with the reason. */
export type StateText = ReturnType<typeof readText>;

/** What is to stand in a state file, and what its writer wants to know afterwards. */
export interface StateChange<Value> {
  text: string;
  /** Permissions of the file. */
  mode: number;
  value: Value;
}

const STATE_BYTES = 8 * 1024 * 1024;
/** How long the lock of such a file is waited for, in milliseconds, where nobody has less patience. */
const LONGEST_WAIT = 2000;
/** The age from which a holder that is not proved to live loses it, in milliseconds. */
const BROKEN_AFTER = 15_000;

export function readState(path: string): StateText {
  return readText(path, { maximumBytes: STATE_BYTES });
}

function isSame(one: StateText, other: StateText): boolean {
  if (one.ok && other.ok) return one.value === other.value;
  return !one.ok && !other.ok && one.error.kind === other.error.kind;
}

/**
 * Changes a JSON state file that other programs of a memory tree write as well, under the lock that all of them know,
 * `<file>.lock` (capsules.md 11): whole or not at all, and only while it is the file that was read.
 *
 * @param change makes the new text, or says why the file is left alone.
 * @returns why it was left alone: `EDRIFT` where somebody wrote it without the lock.
 * @throws LockTimeout, whose message begins with `ELOCKTIMEOUT`; or the errno error.
 */
export function changeState<Value>(
  path: string,
  { clock, patience }: { clock: Clock; patience: Patience },
  change: (text: StateText) => Result<StateChange<Value>, string>,
): Result<Value, string> {
  const time = new Date(clock.now()).toISOString();
  const terms = { longest: LONGEST_WAIT, brokenAfter: BROKEN_AFTER, time };
  try {
    return withPatientLock(
      `${path}.lock`,
      patience,
      (lock): Result<Value, string> => {
        const before = readState(path);
        const changed = change(before);
        if (!changed.ok) return changed;
        if (!isSame(before, readState(path))) return failed(`${basename(path)} moved meanwhile (EDRIFT)`);
        lock.assertHeld();
        writeAtomic(path, changed.value.text, { mode: changed.value.mode });
        return ok(changed.value.value);
      },
      terms,
    );
  } catch (error) {
    if (isLockTimeout(error)) error.message = `ELOCKTIMEOUT: ${error.message}`;
    throw error;
  }
}
