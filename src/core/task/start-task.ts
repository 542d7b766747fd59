import { EXIT, MajordomusError } from "../base/error.ts";
import { formatTimestamp } from "../base/time.ts";
import { headText } from "../checkout/checkout.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { shownPath } from "../checkout/shown-path.ts";
import type { HeldLock } from "../fs/lock.ts";
import { makeDirectory, writeAtomic } from "../fs/write.ts";
import type { Moment } from "../git/moment.ts";
import { isNoted } from "../ledger/noted.ts";
import { recordEvent } from "../ledger/record-event.ts";
import { formatTask, isTaskOf } from "../records/task.ts";
import type { Task } from "../records/task.ts";
import type { Author } from "./author.ts";
import { oneLine, optionalLine, underLock } from "./author.ts";
import { archiveTask, readTaskText } from "./current-task.ts";
import { canonicalScope, findOverlaps } from "./scope.ts";
import type { ScopeOverlap } from "../labels/scope-overlap.ts";
import { claimTaskId } from "./task-id.ts";

export interface TaskGiven {
  task: string;
  scope: readonly string[];
  /** A profile that exists; the surface has looked. */
  profile: string;
  owner?: string | undefined;
}

export interface StartedTask {
  task: Task;
  /** Where the task before it was put, relative to the work tree. */
  archived?: string;
  overlaps: ScopeOverlap[];
  notes: string[];
}

function refuseWhileActive({ id, task }: Task): MajordomusError {
  return new MajordomusError({
    code: "task.active",
    exit: EXIT.refused,
    subject: id,
    message: `is still active: ${task}`,
    remedy: "finish it, or hand it over with `majordomus handover --close`",
  });
}

interface Wanted {
  text: string;
  owner: string;
  scope: string[];
  profile: string;
}

/** Puts the new task into its place, and the one before into the archive. */
function place(
  checkout: Checkout,
  { text, owner, scope, profile }: Wanted,
  tree: ReturnType<Moment["tree"]>,
  before: ReturnType<typeof readTaskText>,
  lock: HeldLock,
): { task: Task; archived: string | undefined } {
  const at = formatTimestamp(checkout.clock.now());
  const task: Task = {
    id: claimTaskId(checkout),
    task: text,
    profile,
    owner,
    scope,
    started_at: at,
    checkpoint_at: at,
    outcome: "active",
    repository_id: checkout.localRepositoryId,
    worktree: checkout.root,
    branch: checkout.branch,
    head: headText(checkout),
    working_tree: tree.ok ? tree.value.state : "dirty",
  };
  const archived = before === undefined ? undefined : archiveTask(checkout, before.task, before.source);
  makeDirectory(checkout.layout.state);
  lock.assertHeld();
  writeAtomic(checkout.layout.task, formatTask(task));
  return { task, archived };
}

/** Whether this very task stands, and its line never came: the run that began it got no further. */
function isUnfinished(checkout: Checkout, task: Task, wanted: Wanted): boolean {
  const same =
    task.outcome === "active" &&
    task.task === wanted.text &&
    task.owner === wanted.owner &&
    task.profile === wanted.profile &&
    task.scope.join("\n") === wanted.scope.join("\n");
  return same && !isNoted(checkout, "task.started", { task_id: task.id });
}

/**
 * Starts the one task of this checkout (work.md, start): identity from git, the task before it archived, and
 * what other worktrees claim reported.
 *
 * @throws MajordomusError 15 while a task is active or for a scope outside the repository, 2 for an empty
 *   task or scope, 10 where the task file cannot be read. Nothing is written then.
 */
export function startTask(checkout: Checkout, given: TaskGiven, author: Author, moment: Moment): StartedTask {
  const text = oneLine("task", given.task);
  const owner = optionalLine("owner", given.owner) ?? checkout.owner;
  const scope = canonicalScope(checkout.root, given.scope);
  const tree = moment.tree();
  const { profile } = given;
  const notes: string[] = [];
  const { task, archived } = underLock(checkout, "task", (lock) => {
    const before = readTaskText(checkout);
    const standing = before !== undefined && isTaskOf(before.task, checkout.root) ? before.task : undefined;
    const begun =
      standing !== undefined && isUnfinished(checkout, standing, { text, owner, scope, profile })
        ? { task: standing, archived: undefined }
        : undefined;
    if (begun === undefined && standing?.outcome === "active") throw refuseWhileActive(standing);
    if (before !== undefined && standing === undefined) {
      notes.push(`the task before, ${before.task.id}, was of ${before.task.worktree}`);
    }
    const started = begun ?? place(checkout, { text, owner, scope, profile }, tree, before, lock);
    // Still under the lock: who starts the same at this moment must not take it for unfinished.
    recordEvent(
      checkout,
      "task.started",
      { task_id: started.task.id, profile, owner, scope },
      { session: author.session },
    );
    return started;
  });
  const claims = findOverlaps(checkout, scope);
  return {
    task,
    ...(archived === undefined ? {} : { archived: shownPath(checkout.root, archived) }),
    overlaps: claims.overlaps,
    notes: [
      ...notes,
      ...claims.unread.map(
        ({ worktree, reason }) =>
          `whether a task of ${worktree} claims a path of this scope is unknown: its task record cannot be read: ${reason}`,
      ),
    ],
  };
}
