import { join } from "node:path";
import { EXIT, MajordomusError } from "../../base/error.ts";
import type { Checkout } from "../../checkout/checkout.ts";
import { withPatientLock } from "../../fs/patient-lock.ts";
import { makeDirectory, writeAtomic } from "../../fs/write.ts";
import { readOptionalRecordText } from "../../records/record-file.ts";
import { parseTask, rewriteTask } from "../../records/task.ts";
import type { Task, TaskChanges } from "../../records/task.ts";

/**
 * Does something to this store's task under its lock: `action` is told the text and the task as they stand
 * then, and gives back what to change, or nothing.
 *
 * @throws LockTimeout when another process holds the task; MajordomusError 15 when it is no longer this one.
 */
export function changeTask(
  checkout: Checkout,
  id: string,
  action: (standing: Task) => TaskChanges | undefined,
): void {
  const { locks, task: path } = checkout.layout;
  makeDirectory(locks);
  withPatientLock(join(locks, "task"), checkout.patience, (lock) => {
    const source = readOptionalRecordText(path);
    const text = source.ok ? source.value : undefined;
    const task = text === undefined ? undefined : parseTask(text);
    if (text === undefined || task?.ok !== true || task.value.id !== id) throw taskChangedMeanwhile(id);
    const changes = action(task.value);
    if (changes === undefined) return;
    lock.assertHeld();
    writeAtomic(path, rewriteTask(text, changes));
  });
}

/** What was judged is not what stands there now. */
export function taskChangedMeanwhile(id: string): MajordomusError {
  return new MajordomusError({
    code: "task.changed",
    exit: EXIT.refused,
    subject: id,
    message: "is no longer the task of this checkout",
    remedy: "look at it with `majordomus check`",
  });
}
