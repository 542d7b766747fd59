import { EXIT, MajordomusError } from "../base/error.ts";
import { formatTimestamp } from "../base/time.ts";
import { headText } from "../checkout/checkout.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { makeDirectory, writeAtomic } from "../fs/write.ts";
import type { Moment } from "../git/moment.ts";
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
  const notes: string[] = [];
  const started = underLock(checkout, "task", (lock) => {
    const before = readTaskText(checkout);
    const foreign = before !== undefined && !isTaskOf(before.task, checkout.root);
    if (before?.task.outcome === "active" && !foreign) throw refuseWhileActive(before.task);
    if (foreign) notes.push(`the task before, ${before.task.id}, was of ${before.task.worktree}`);
    const at = formatTimestamp(checkout.clock.now());
    const task: Task = {
      id: claimTaskId(checkout),
      task: text,
      profile: given.profile,
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
  });
  const { task, archived } = started;
  recordEvent(
    checkout,
    "task.started",
    { task_id: task.id, profile: task.profile, owner, scope },
    { session: author.session },
  );
  return {
    task,
    ...(archived === undefined ? {} : { archived: shownPath(checkout.root, archived) }),
    overlaps: findOverlaps(checkout, scope),
    notes,
  };
}
