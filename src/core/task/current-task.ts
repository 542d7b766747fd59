import { join } from "node:path";
import { EXIT, MajordomusError, reasonOf } from "../base/error.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { LockTimeout } from "../fs/lock.ts";
import { createExclusive, makeDirectory, writeAtomic } from "../fs/write.ts";
import { readOptionalRecordText } from "../records/record-file.ts";
import { isTaskOf, ownTaskOf, parseTask, readTaskHere, rewriteTask } from "../records/task.ts";
import type { Task, TaskChanges } from "../records/task.ts";
import { readText } from "../fs/read.ts";
import { underLock } from "./author.ts";

/** Nobody files anything under `none` while a task record stands there that nobody can read. */
function unreadable(path: string, reason: string): MajordomusError {
  return new MajordomusError({
    code: "task.unreadable",
    exit: EXIT.finding,
    subject: path,
    message: reason,
    remedy: "put it right, or move it away",
  });
}

/**
 * The task that records are written under: this checkout's, whatever its outcome. One of another worktree counts
 * for nothing.
 *
 * @throws MajordomusError 10 where the task record cannot be read. A hook, which may not fail, asks
 *   `readTaskHere` and says what it does not know.
 */
export function currentTask(checkout: Pick<Checkout, "layout" | "root">): Task | undefined {
  const here = readTaskHere(checkout);
  if (here.kind === "invalid") throw unreadable(checkout.layout.task, here.reason);
  return ownTaskOf(here);
}

/**
 * The text of the task file, read as a task where there is one.
 *
 * @throws MajordomusError 10 for a file that is no task: nobody may write over what nobody can read.
 */
export function readTaskText(checkout: Pick<Checkout, "layout">): { source: string; task: Task } | undefined {
  const source = readOptionalRecordText(checkout.layout.task);
  if (source.ok && source.value === undefined) return undefined;
  const task = source.ok ? parseTask(source.value ?? "") : source;
  if (source.ok && task.ok) return { source: source.value ?? "", task: task.value };
  throw unreadable(checkout.layout.task, task.ok ? "cannot be read" : task.error);
}

/**
 * Changes the active task of this checkout, if it is still the one that is meant.
 *
 * @returns false where there is no such task, or it is no longer active.
 * @throws LockTimeout when another process holds the task for too long.
 */
export function changeActiveTask(
  checkout: Pick<Checkout, "layout" | "root" | "patience">,
  id: string,
  changes: TaskChanges,
): boolean {
  return underLock(checkout, "task", (lock) => {
    const standing = readTaskText(checkout);
    if (standing === undefined || standing.task.id !== id || standing.task.outcome !== "active") return false;
    if (!isTaskOf(standing.task, checkout.root)) return false;
    lock.assertHeld();
    writeAtomic(checkout.layout.task, rewriteTask(standing.source, changes));
    return true;
  });
}

/** What became of a change to the task. */
export type TaskChange = "changed" | "none" | "deferred";

/** Like {@link changeActiveTask}; a hook that cannot have the lock in time goes on without. */
export function noteOnTask(
  checkout: Pick<Checkout, "layout" | "root" | "patience">,
  task: Task | undefined,
  changes: TaskChanges,
  deferrable: boolean,
): TaskChange {
  if (task?.outcome !== "active") return "none";
  try {
    return changeActiveTask(checkout, task.id, changes) ? "changed" : "none";
  } catch (error) {
    if (!deferrable || !(error instanceof LockTimeout)) throw error;
    return "deferred";
  }
}

/** Like {@link noteOnTask}, beside a record that stands: that the task stays as it was is told, and fails nothing. */
export function noteBesideRecord(
  checkout: Pick<Checkout, "layout" | "root" | "patience">,
  task: Task | undefined,
  changes: TaskChanges,
  deferrable: boolean,
  notes: string[],
): TaskChange {
  try {
    return noteOnTask(checkout, task, changes, deferrable);
  } catch (error) {
    notes.push(`the task's checkpoint time did not move: ${reasonOf(error)}`);
    return "none";
  }
}

/** Keeps a task's text under `archive/<id>.yaml`; a name that holds another text gets `-2`, `-3`. Returns the path. */
export function archiveTask(checkout: Pick<Checkout, "layout">, task: Task, source: string): string {
  const directory = checkout.layout.taskArchive;
  makeDirectory(directory);
  for (let attempt = 1; ; attempt += 1) {
    const path = join(directory, `${task.id}${attempt === 1 ? "" : `-${attempt}`}.yaml`);
    if (createExclusive(path, source)) return path;
    const standing = readText(path, { maximumBytes: 1024 * 1024 });
    if (standing.ok && standing.value === source) return path;
  }
}
