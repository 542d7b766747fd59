import type { Checkout } from "../../checkout/checkout.ts";
import { relationOf } from "../../git/relation.ts";
import { labelDivergence } from "../../labels/divergence.ts";
import type { Divergence } from "../../labels/terms.ts";
import type { Task } from "../../records/task.ts";

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
