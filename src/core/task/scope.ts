import { isAbsolute, relative, sep } from "node:path";
import { EXIT, MajordomusError } from "../base/error.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { layoutOf } from "../checkout/layout.ts";
import { canonicalPath, containedPath } from "../fs/contain.ts";
import { listWorktrees } from "../git/worktrees.ts";
import type { ScopeClaims, ScopeOverlap } from "../labels/scope-overlap.ts";
import { readTaskHere } from "../records/task.ts";
import type { Task } from "../records/task.ts";
import { authoredLine } from "../text/authored.ts";
import { inert } from "../text/inert.ts";
import { badArgument } from "./author.ts";

/** The whole repository. */
const EVERYTHING = ".";

/**
 * A path names one file: what no line of a record holds (a control, a line break, a terminal's sequence) is not
 * taken out of it, since what is left would name another.
 *
 * @throws MajordomusError 2 for a path that could not be stored as it is.
 */
function refuseUnstorable(path: string): void {
  if (authoredLine(path) === path) return;
  throw badArgument(
    "scope",
    `${inert(path)} holds characters that no record can keep`,
    "name a directory above it, or rename it",
  );
}

function canonicalEntry(root: string, given: string): string {
  refuseUnstorable(given);
  const inside = isAbsolute(given) ? relative(root, canonicalPath(given)) : given;
  if (isAbsolute(inside) || inside === ".." || inside.startsWith(`..${sep}`)) {
    throw new MajordomusError({
      code: "scope.outside",
      exit: EXIT.refused,
      subject: given,
      message: "is outside the repository",
    });
  }
  const path = relative(root, canonicalPath(containedPath(root, inside === "" ? EVERYTHING : inside)));
  // A link may have led to a name that cannot be stored.
  refuseUnstorable(path);
  return path === "" ? EVERYTHING : path.split(sep).join("/");
}

/**
 * The paths of a scope in their one spelling: relative to the repository's root, links resolved, without a
 * trailing slash, each once. `.` is the whole repository.
 *
 * @throws MajordomusError 2 without a path or for one that cannot be stored, 15 for one that leads out of the repository.
 */
export function canonicalScope(root: string, given: readonly string[]): string[] {
  const entries = given.flatMap((text) => text.split(",")).map((text) => text.replaceAll(/^ +| +$/g, ""));
  const paths = entries.filter((text) => text !== "").map((text) => canonicalEntry(root, text));
  if (paths.length === 0) throw badArgument("scope", "names no path", "give --scope with at least one");
  return [...new Set(paths)];
}

/** How `path` lies to `other`; undefined when neither is inside the other. */
export function pathRelation(path: string, other: string): ScopeOverlap["relation"] | undefined {
  if (path === other) return "equal";
  if (path === EVERYTHING || other.startsWith(`${path}/`)) return "contains";
  if (other === EVERYTHING || path.startsWith(`${other}/`)) return "contained by";
  return undefined;
}

/**
 * Where a scope meets the active tasks of every other worktree: reported, never blocked (work.md, start). A
 * worktree whose task record cannot be read is named, since it may claim anything.
 */
export function findOverlaps(
  checkout: Pick<Checkout, "repository" | "root" | "settings">,
  scope: readonly string[],
): ScopeClaims {
  const claims: ScopeClaims = { overlaps: [], unread: [] };
  for (const { exists, path: worktree } of listWorktrees(checkout.repository)) {
    if (!exists || worktree === checkout.root) continue;
    const layout = layoutOf(worktree, checkout.settings.manifest);
    const here = readTaskHere({ layout, root: worktree });
    if (here.kind === "invalid") claims.unread.push({ worktree, reason: here.reason });
    if (here.kind === "own" && here.task.outcome === "active") {
      claims.overlaps.push(...overlapsWith(here.task, worktree, scope));
    }
  }
  return claims;
}

function overlapsWith(task: Task, worktree: string, scope: readonly string[]): ScopeOverlap[] {
  return scope.flatMap((path) =>
    task.scope.flatMap((other) => {
      const relation = pathRelation(path, other);
      return relation === undefined
        ? []
        : [{ worktree, task_id: task.id, task: task.task, path, relation, other }];
    }),
  );
}
