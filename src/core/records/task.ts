import { isAbsolute } from "node:path";
import type { Result } from "../base/result.ts";
import { failed } from "../base/result.ts";
import { canonicalPath } from "../fs/contain.ts";
import { parseFlat, plainOrQuoted } from "../text/flat-yaml.ts";
import * as z from "zod/mini";
import { admitFields, listOrNone, textOr } from "./record-fields.ts";
import { readOptionalRecordText } from "./record-file.ts";

const words = textOr("");

export const TaskOutcome = z.enum([
  "active",
  "completed",
  "partial",
  "blocked",
  "no_match",
  "failed",
  "handed_over",
]);
export type TaskOutcome = z.infer<typeof TaskOutcome>;

/** The one active task (records.md 8.1). Where the file does not say something, the text is empty. */
export const Task = z.object({
  /** Becomes part of file names, so it is never a path. */
  id: z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "not a task id")),
  task: words,
  title: z.optional(z.string()),
  profile: words,
  owner: words,
  scope: listOrNone(),
  started_at: words,
  checkpoint_at: words,
  outcome: TaskOutcome,
  repository_id: words,
  worktree: words,
  branch: words,
  /** The commit at the start: what has changed is told from here. */
  head: words,
  working_tree: words,
});
export type Task = z.infer<typeof Task>;

/** Reads a task's text; unknown keys of local state are left alone. Fails naming the field. */
export function parseTask(source: string): Result<Task, string> {
  const fields = parseFlat(source);
  return fields.ok ? admitFields(Task, fields.value) : fields;
}

/** Why there is no task to read: there is no file, or what stands there is none. */
export interface TaskFailure {
  kind: "absent" | "invalid";
  reason: string;
}

/** Reads the task's file; a file that is there and is no task is told apart from none. */
export function readTask(path: string): Result<Task, TaskFailure> {
  const source = readOptionalRecordText(path);
  if (source.ok && source.value === undefined) return failed({ kind: "absent", reason: "no task" });
  const task = source.ok ? parseTask(source.value ?? "") : source;
  return task.ok ? task : failed({ kind: "invalid", reason: task.error });
}

/** Whether a task is of the checkout at `root`: one directory reached by two spellings is one (promise 13). */
export function isTaskOf({ worktree }: Pick<Task, "worktree">, root: string): boolean {
  if (worktree === "" || worktree === root) return true;
  try {
    return isAbsolute(worktree) && canonicalPath(worktree) === root;
  } catch {
    return false;
  }
}

/** The task record of a checkout, as far as it binds anybody there. */
export type TaskHere =
  | { kind: "none" }
  /** Something stands in its place that is no task: whether there is one is unknown, which is not none (promise 49). */
  | { kind: "invalid"; reason: string }
  /** It belongs to another checkout: reported, nothing enforced (records.md 8.1). */
  | { kind: "foreign"; task: Task }
  | { kind: "own"; task: Task };

/** Reads the task record of this very checkout. */
export function readTaskHere({ layout, root }: { layout: { task: string }; root: string }): TaskHere {
  const read = readTask(layout.task);
  if (read.ok) return { kind: isTaskOf(read.value, root) ? "own" : "foreign", task: read.value };
  return read.error.kind === "absent" ? { kind: "none" } : { kind: "invalid", reason: read.error.reason };
}

/** The task that is this checkout's own, whatever its outcome. */
export function ownTaskOf(here: TaskHere): Task | undefined {
  return here.kind === "own" ? here.task : undefined;
}

/** Why it is unknown whether there is a task, in one clause; undefined where it is known. */
export function taskDoubt(here: TaskHere): string | undefined {
  return here.kind === "invalid" ? `the task record cannot be read: ${here.reason}` : undefined;
}

/** Writes a task's file in the original's order of keys (records.md 8.1). */
export function formatTask(task: Task): string {
  const line = (key: "id" | "task" | "profile" | "owner" | "started_at" | "checkpoint_at"): string =>
    `${key}: ${plainOrQuoted(task[key])}`;
  return [
    line("id"),
    line("task"),
    ...(task.title === undefined ? [] : [`title: ${plainOrQuoted(task.title)}`]),
    line("profile"),
    line("owner"),
    "scope:",
    ...task.scope.map((path) => `  - ${plainOrQuoted(path)}`),
    line("started_at"),
    line("checkpoint_at"),
    `outcome: ${task.outcome}`,
    ...(["repository_id", "worktree", "branch", "head", "working_tree"] as const).map(
      (key) => `${key}: ${plainOrQuoted(task[key])}`,
    ),
    "",
  ].join("\n");
}

/** What may change in a task that stands. */
export interface TaskChanges {
  checkpoint_at?: string;
  outcome?: TaskOutcome;
}

/**
 * Changes a task in its own text: every other byte, unknown keys, comments and line ends included, stays as
 * it was. A key that the text lacks is added at its end.
 */
export function rewriteTask(source: string, changes: TaskChanges): string {
  const newline = source.includes("\r\n") ? "\r\n" : "\n";
  let text = source === "" || source.endsWith("\n") ? source : `${source}${newline}`;
  for (const [key, value] of Object.entries(changes)) {
    const line = `${key}: ${plainOrQuoted(String(value))}`;
    // Not by the flag `m`: it would also find a line after a U+2028 inside a value.
    const standing = new RegExp(`(^|\\n)${key}:[^\\r\\n]*`);
    text = standing.test(text)
      ? text.replace(standing, (_, before: string) => `${before}${line}`)
      : `${text}${line}${newline}`;
  }
  return text;
}
