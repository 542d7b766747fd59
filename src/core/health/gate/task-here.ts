import type { Checkout } from "../../checkout/checkout.ts";
import { canonicalPath } from "../../fs/contain.ts";
import { relationOf } from "../../git/relation.ts";
import { labelDivergence } from "../../labels/divergence.ts";
import type { Divergence } from "../../labels/terms.ts";
import { readTask } from "../../records/task.ts";
import type { Task } from "../../records/task.ts";

/** The task record of this checkout, as far as it binds anybody here. */
export type TaskHere =
  | { kind: "none" }
  /** Something stands in its place that is no task. */
  | { kind: "invalid"; reason: string }
  /** It belongs to another checkout: reported, nothing enforced (records.md 8.1). */
  | { kind: "foreign"; task: Task }
  | { kind: "own"; task: Task };

export function readTaskHere(checkout: Pick<Checkout, "layout" | "root">): TaskHere {
  const read = readTask(checkout.layout.task);
  if (!read.ok) {
    return read.error.kind === "absent" ? { kind: "none" } : { kind: "invalid", reason: read.error.reason };
  }
  const task = read.value;
  return { kind: belongsHere(task, checkout.root) ? "own" : "foreign", task };
}

/** One directory reached by two spellings is one worktree. */
function belongsHere(task: Task, root: string): boolean {
  if (task.worktree === "" || task.worktree === root) return true;
  try {
    return canonicalPath(task.worktree) === root;
  } catch {
    return false;
  }
}

/** How a task's start stands to where the checkout is now, for gates. */
export interface TaskLabel {
  divergence: Divergence;
  reason: string;
  /** The work since the start can be told: the label is exact or advanced. */
  trusted: boolean;
}

/** Labels a task in at most one process. Whatever comes after nothing at all has advanced from it. */
export function labelTask(checkout: Checkout, task: Pick<Task, "branch" | "head">): TaskLabel {
  const { divergence, reason } = labelDivergence(task, checkout, (commit) =>
    relationOf(checkout.repository, commit, checkout.head ?? ""),
  );
  const fromNothing = divergence === "unknown" && task.head === "NONE";
  const trusted = divergence === "exact" || divergence === "advanced" || fromNothing;
  return { divergence, reason, trusted };
}
