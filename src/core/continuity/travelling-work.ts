import { dirname, join } from "node:path";
import { EXIT, MajordomusError } from "../base/error.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { canonicalPath } from "../fs/contain.ts";
import { readRegularFile } from "../fs/read.ts";
import { withoutComments } from "../records/comments.ts";
import { LOG_MAXIMUM_BYTES } from "../records/decisions.ts";
import { openEpisodeName, readOpenEpisode } from "../records/open-episode.ts";
import { readPointer } from "../records/pointer.ts";
import { readOptionalRecordText } from "../records/record-file.ts";
import { parseTask, readTask } from "../records/task.ts";
import type { Task } from "../records/task.ts";
import { LIMITS } from "./record.ts";
import type { TravellingDecision, TravellingTask } from "./record.ts";

const TASK_ID = /^[A-Za-z0-9_-]+$/;

function archivedTask(checkout: Pick<Checkout, "layout">, id: string): Task | undefined {
  const text = readOptionalRecordText(join(checkout.layout.taskArchive, `${id}.yaml`));
  const task = text.ok && text.value !== undefined ? parseTask(text.value) : undefined;
  return task?.ok === true && task.value.id === id ? task.value : undefined;
}

/** A record is permanent once it is published: what cannot be read now would be missing from it for ever. */
function unreadable(path: string, message: string): MajordomusError {
  return new MajordomusError({
    code: "store.unreadable",
    exit: EXIT.finding,
    subject: path,
    message,
    remedy: "put it right, or move it away",
  });
}

/**
 * The task that a handover was written under, current or archived, as it travels.
 *
 * @throws MajordomusError 10 where it may be the current one, whose record cannot be read.
 */
export function travellingTask(checkout: Pick<Checkout, "layout">, id: string): TravellingTask | undefined {
  if (!TASK_ID.test(id)) return undefined;
  const current = readTask(checkout.layout.task);
  const task = current.ok && current.value.id === id ? current.value : archivedTask(checkout, id);
  if (task === undefined) {
    if (!current.ok && current.error.kind === "invalid") {
      throw unreadable(checkout.layout.task, current.error.reason);
    }
    return undefined;
  }
  return {
    id,
    title: task.title ?? task.task,
    ...(task.profile === "" || task.profile === "none" ? {} : { profile: task.profile }),
    ...(task.scope.length === 0 ? {} : { scope: task.scope }),
    outcome: task.outcome,
  };
}

/** At most so many bytes of text, no character cut in two. */
function clipBytes(text: string, maximum: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maximum) return text;
  let end = maximum;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString("utf8", 0, end);
}

/** The entries of a decision log as they stand: the heading, and the lines below it. Text in comments is none. */
export function decisionEntries(log: string): TravellingDecision[] {
  const entries: { title: string; lines: string[] }[] = [];
  for (const line of withoutComments(log).split(/\r?\n/)) {
    const title = /^## +(.+?)\s*$/.exec(line)?.[1];
    if (title !== undefined) entries.push({ title, lines: [] });
    else entries.at(-1)?.lines.push(line);
  }
  return entries.map(({ title, lines }) => ({
    title: title.replaceAll(/\p{Cc}/gu, ""),
    text: `${clipBytes(lines.join("\n").trimEnd(), LIMITS.decisionText - 1).trimEnd()}\n`,
  }));
}

/**
 * The newest decisions that were made under a task, oldest first.
 *
 * @throws MajordomusError 10 for a log that cannot be read.
 */
export function travellingDecisions(checkout: Pick<Checkout, "layout">, task: string): TravellingDecision[] {
  const log = readRegularFile(checkout.layout.decisions, { maximumBytes: LOG_MAXIMUM_BYTES });
  if (!log.ok) {
    if (log.error.kind === "absent") return [];
    throw unreadable(checkout.layout.decisions, log.error.message);
  }
  return decisionEntries(log.value.toString("utf8"))
    .filter(({ text }) => text.split("\n").some((line) => line.trimEnd() === `Task: ${task}`))
    .slice(-LIMITS.decisions);
}

/** The episode that is open in this very checkout, as the pointer names it. */
export function openSession(checkout: Pick<Checkout, "layout" | "root">): string | undefined {
  const pointer = readPointer(checkout.layout);
  if (!pointer.resolves || pointer.sessionId === undefined) return undefined;
  const path =
    pointer.key === undefined
      ? checkout.layout.pointer
      : join(checkout.layout.sessionsOpen, openEpisodeName(pointer.key));
  const episode = readOpenEpisode(path);
  if (!episode.ok || episode.value.worktree === "") return undefined;
  try {
    const there = canonicalPath(episode.value.worktree);
    return there === canonicalPath(checkout.root) && dirname(there) !== there ? pointer.sessionId : undefined;
  } catch {
    return undefined;
  }
}
