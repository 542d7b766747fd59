import { EXIT, MajordomusError } from "../base/error.ts";
import { formatTimestamp } from "../base/time.ts";
import type { Checkout } from "../checkout/checkout.ts";
import type { Moment } from "../git/moment.ts";
import { recordEvent } from "../ledger/record-event.ts";
import type { Recorded } from "../ledger/record-event.ts";
import { refuseIdentityLines } from "../records/refuse-identity.ts";
import type { Task } from "../records/task.ts";
import { authoredText } from "../text/authored.ts";
import type { Author } from "./author.ts";
import { currentTask, noteBesideRecord, noteOnTask } from "./current-task.ts";
import { deriveCheckpoint } from "./derive-checkpoint.ts";
import { besideRecord, publishRecord } from "./publish-record.ts";
import type { Published } from "./publish-record.ts";
import type { WorkFacts } from "./work-facts.ts";

/** What became of a checkpoint or handover. */
export interface WrittenRecord {
  /** Relative to the work tree; undefined for an empty checkpoint, which writes no file. */
  path?: string;
  task_id?: string;
  /** Whether the task's `checkpoint_at` moved. */
  moved: boolean;
  /** A lock stayed held: the ledger line waits, or the task keeps its old time. */
  deferred: boolean;
  notes: string[];
}

function refuseLongBody(body: string, maximum: number): void {
  const lines = body.trimEnd().split("\n").length;
  if (lines <= maximum) return;
  throw new MajordomusError({
    code: "checkpoint.too_long",
    exit: EXIT.finding,
    subject: `${lines} lines`,
    message: `a checkpoint has at most ${maximum} (checkpoint.max_body_lines)`,
    remedy: "write a handover instead: `majordomus handover < body`",
  });
}

/**
 * The body of a checkpoint as it would stand in its record; empty where no record would be written.
 *
 * @throws MajordomusError 10 for a body that is too long or claims what only git may say.
 */
export function checkpointBody(checkout: Checkout, given: string): string {
  const body = authoredText(given).replace(/^\n+/, "").trimEnd();
  if (body === "") return "";
  refuseIdentityLines(body);
  refuseLongBody(body, checkout.settings.policy.checkpoint.max_body_lines);
  return `${body}\n`;
}

/**
 * Writes a checkpoint as a worker or a person gives it. An empty body writes no file and only says that the
 * work was looked at (records.md 8.2).
 *
 * @throws MajordomusError 10 for a body that is too long or claims what only git may say; nothing is written.
 */
export function writeCheckpoint(
  checkout: Checkout,
  given: string,
  author: Author,
  moment: Moment,
): WrittenRecord {
  const body = checkpointBody(checkout, given);
  const task = currentTask(checkout);
  if (body === "") return noteLook(checkout, task, author);
  const published = publishRecord(checkout, "checkpoints", { body, task }, moment);
  return settle(checkout, task, author, published, false);
}

/** Writes the checkpoint that git and the ledger give by themselves (records.md 9.2). */
export function writeDerivedCheckpoint(
  checkout: Checkout,
  facts: WorkFacts,
  author: Author,
  moment: Moment,
): WrittenRecord {
  const record = { body: deriveCheckpoint(facts), task: facts.task };
  const published = publishRecord(checkout, "checkpoints", record, moment);
  return settle(checkout, facts.task, author, published, true);
}

/** The line of a checkpoint; a look at the work, which writes no file, has one without a path. */
function noteLine(
  checkout: Checkout,
  task: Task | undefined,
  author: Author,
  facts: { checkpoint_path?: string; derived?: 1 },
): Recorded {
  return recordEvent(
    checkout,
    "task.checkpoint",
    { ...(task === undefined ? {} : { task_id: task.id }), ...facts },
    { session: author.session, deferrable: author.deferrable ?? false },
  );
}

/** The task's time first: when that fails there is no line yet, and who looks once more leaves one. */
function noteLook(checkout: Checkout, task: Task | undefined, author: Author): WrittenRecord {
  const at = formatTimestamp(checkout.clock.now());
  const change = noteOnTask(checkout, task, { checkpoint_at: at }, author.deferrable ?? false);
  const recorded = noteLine(checkout, task, author, {});
  return {
    ...(task === undefined ? {} : { task_id: task.id }),
    moved: change === "changed",
    deferred: recorded === "deferred" || change === "deferred",
    notes: [],
  };
}

function settle(
  checkout: Checkout,
  task: Task | undefined,
  author: Author,
  published: Published,
  derived: boolean,
): WrittenRecord {
  const { path: checkpoint_path, notes } = published;
  const recorded = besideRecord(published, () =>
    noteLine(checkout, task, author, { checkpoint_path, ...(derived ? { derived: 1 } : {}) }),
  );
  const changes = { checkpoint_at: formatTimestamp(checkout.clock.now()) };
  const change = noteBesideRecord(checkout, task, changes, author.deferrable ?? false, notes);
  return {
    path: checkpoint_path,
    ...(task === undefined ? {} : { task_id: task.id }),
    moved: change === "changed",
    deferred: recorded === "deferred" || change === "deferred",
    notes,
  };
}
