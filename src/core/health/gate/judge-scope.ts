import type { Checkout } from "../../checkout/checkout.ts";
import { isInScope } from "../../labels/scope.ts";
import type { Finding } from "../../labels/terms.ts";
import type { Task } from "../../records/task.ts";
import { firstOf, judgement } from "../judgement.ts";

const SHOWN = 100;

/**
 * Changed paths that a task may not touch. The layer itself, the targets of projections and what the program
 * writes elsewhere are always inside (work.md, check).
 *
 * @param own directories outside the layer that the program writes by itself, such as the memory root.
 */
export function outsideScope(
  checkout: Pick<Checkout, "settings">,
  task: Pick<Task, "scope">,
  changed: readonly string[],
  own: readonly string[],
): string[] {
  const targets = new Set(checkout.settings.policy.projections.map(({ target }) => target));
  const scope = [".ai", ...own, ...task.scope];
  return changed.filter((path) => !targets.has(path) && !isInScope(path, scope));
}

/** One finding for each path outside, or one that says that there is none. */
export function judgeScope(
  level: "FAIL" | "DRIFT",
  task: Pick<Task, "id" | "scope">,
  changed: readonly string[],
  outside: readonly string[],
): Finding[] {
  const scope = task.scope.length === 0 ? "which is empty" : task.scope.join(", ");
  if (outside.length === 0) {
    return [judgement("OK", "scope", task.id, `${changed.length} changed file(s), all inside ${scope}`)];
  }
  return firstOf(
    outside.map((path) =>
      judgement(level, "scope", path, `was changed and lies outside the scope, ${scope}`, "git status"),
    ),
    SHOWN,
  );
}
