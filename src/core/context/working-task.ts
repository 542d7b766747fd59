import type { Checkout } from "../checkout/checkout.ts";
import { ownTaskOf, readTaskHere, taskDoubt } from "../records/task.ts";
import type { Task } from "../records/task.ts";

/** Outcomes after which nobody works on the task any more. */
const ENDED: ReadonlySet<Task["outcome"]> = new Set(["completed", "no_match", "failed"]);

/** The task of this checkout, as a worker is told of it. */
export interface KnownTask {
  /** The task that stands in this checkout, ended or not. */
  record: Task | undefined;
  /** The task that a worker would go on with; undefined where there is none, or it came to an end. */
  task: Task | undefined;
  /** Why neither is known, in one clause; undefined where they are. */
  taskDoubt: string | undefined;
}

export function knownTask(checkout: Pick<Checkout, "layout" | "root">): KnownTask {
  const here = readTaskHere(checkout);
  const record = ownTaskOf(here);
  const task = record === undefined || ENDED.has(record.outcome) ? undefined : record;
  return { record, task, taskDoubt: taskDoubt(here) };
}

/** The task that a worker would go on with, for what may go on without one. */
export function workingTask(checkout: Pick<Checkout, "layout" | "root">): Task | undefined {
  return knownTask(checkout).task;
}
