import type { Checkout } from "../checkout/checkout.ts";
import { ownTask } from "../records/task.ts";
import type { Task } from "../records/task.ts";

/** Outcomes after which nobody works on the task any more. */
const ENDED: ReadonlySet<Task["outcome"]> = new Set(["completed", "no_match", "failed"]);

/** The task that stands in this checkout, ended or not. */
export function currentTaskRecord(checkout: Pick<Checkout, "layout" | "root">): Task | undefined {
  return ownTask(checkout.layout.task, checkout.root);
}

/** The task that a worker would go on with; undefined where there is none, or it came to an end. */
export function workingTask(checkout: Pick<Checkout, "layout" | "root">): Task | undefined {
  const task = currentTaskRecord(checkout);
  return task === undefined || ENDED.has(task.outcome) ? undefined : task;
}
