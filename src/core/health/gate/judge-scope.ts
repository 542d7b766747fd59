import type { Checkout } from "../../checkout/checkout.ts";
import { isInScope } from "../../labels/scope.ts";
import type { Finding } from "../../labels/terms.ts";
import type { Task } from "../../records/task.ts";
import { firstOf, judgement } from "../judgement.ts";

const SHOWN = 100;

/** Changed paths, as the scope of a task divides them. */
export interface ScopeDivision {
  paths: readonly string[];
  /** Those that the task may not touch. */
  outside: readonly string[];
  /** How many are of no scope and allowed in any. */
  exempt: number;
}

/**
 * Divides changed paths by what a task may touch. The layer itself, the targets of projections and what the program
 * writes elsewhere are always inside (work.md, check).
 *
 * @param own directories outside the layer that the program writes by itself, such as the memory root.
 */
export function divideByScope(
  checkout: Pick<Checkout, "settings">,
  task: Pick<Task, "scope">,
  paths: readonly string[],
  own: readonly string[],
): ScopeDivision {
  const targets = new Set(checkout.settings.policy.projections.map(({ target }) => target));
  const beyond = paths.filter((path) => !isInScope(path, task.scope));
  const outside = beyond.filter((path) => !targets.has(path) && !isInScope(path, [".ai", ...own]));
  return { paths, outside, exempt: beyond.length - outside.length };
}

/** Says of paths of which none is outside how many were judged, and how many were not. */
export function insideWords({ paths, exempt }: Omit<ScopeDivision, "outside">, scope: string): string {
  const judged = paths.length - exempt;
  if (exempt === 0) return `${judged} changed file(s), all inside ${scope}`;
  const unjudged = `(${exempt} of the layer and its projections are not judged)`;
  return `${judged} changed file(s)${judged === 0 ? "" : ", all"} inside ${scope} ${unjudged}`;
}

/** One finding for each path outside, or one that says that there is none. */
export function judgeScope(
  level: "FAIL" | "DRIFT",
  task: Pick<Task, "id" | "scope">,
  division: ScopeDivision,
): Finding[] {
  const scope = task.scope.length === 0 ? "which is empty" : task.scope.join(", ");
  if (division.outside.length === 0) {
    return [judgement("OK", "scope", task.id, insideWords(division, scope))];
  }
  return firstOf(
    division.outside.map((path) =>
      judgement(level, "scope", path, `was changed and lies outside the scope, ${scope}`, "git status"),
    ),
    SHOWN,
  );
}
