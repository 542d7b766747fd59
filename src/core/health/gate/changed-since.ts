import type { Checkout } from "../../checkout/checkout.ts";
import { compareBytewise } from "../../base/bytewise.ts";
import { failed, ok } from "../../base/result.ts";
import type { Result } from "../../base/result.ts";
import { pathsOfCommit, touchedBetween, touchedInWorkingTree } from "../../git/touched.ts";
import type { Task } from "../../records/task.ts";
import type { TaskLabel } from "./task-here.ts";

/**
 * The paths that were touched since a task began, by commits and in the working tree, sorted bytewise.
 * Where the start cannot be compared with HEAD only the working tree counts: the label says so already.
 * At most two processes.
 */
export function changedSinceStart(
  checkout: Checkout,
  task: Pick<Task, "head">,
  label: TaskLabel,
): Result<string[], string> {
  const tree = touchedInWorkingTree(checkout.repository);
  if (!tree.ok) return failed(`the working tree cannot be read: ${tree.error}`);
  const committed = label.trusted ? committedSince(checkout, task.head) : ok([]);
  if (!committed.ok) return failed(`the commits since the start cannot be read: ${committed.error}`);
  return ok([...new Set([...committed.value, ...tree.value])].toSorted(compareBytewise));
}

function committedSince({ repository, head }: Checkout, start: string): Result<string[], string> {
  if (head === undefined) return ok([]);
  return start === "NONE" ? pathsOfCommit(repository, head) : touchedBetween(repository, start, head);
}
