import { EXIT, MajordomusError, reasonOf } from "../base/error.ts";
import { formatTimestamp } from "../base/time.ts";
import type { Checkout } from "../checkout/checkout.ts";
import type { Moment } from "../git/moment.ts";
import { recordEvent } from "../ledger/record-event.ts";
import type { Recorded } from "../ledger/record-event.ts";
import { missingSections } from "../records/body-sections.ts";
import { refuseIdentityLines } from "../records/refuse-identity.ts";
import type { Task, TaskChanges } from "../records/task.ts";
import { authoredText } from "../text/authored.ts";
import type { Author } from "./author.ts";
import type { WrittenRecord } from "./checkpoint.ts";
import { currentTask, noteBesideRecord, noteOnTask } from "./current-task.ts";
import type { TaskChange } from "./current-task.ts";
import { deriveHandover } from "./derive-handover.ts";
import { besideRecord, publishRecord } from "./publish-record.ts";
import type { Published, RecordPlace } from "./publish-record.ts";
import { findUnclosed } from "./unclosed-handover.ts";
import type { WorkFacts } from "./work-facts.ts";

export interface HandoverOptions {
  /** The active task becomes `handed_over`. */
  close?: boolean;
  /** Outside any task, also where one stands. */
  noTask?: boolean;
}

export interface WrittenHandover extends WrittenRecord {
  path: string;
  /** Whether the task was closed by it. */
  closed: boolean;
}

function finding(code: string, message: string, remedy: string): MajordomusError {
  return new MajordomusError({ code, exit: EXIT.finding, message, remedy });
}

/**
 * The task that a handover is of.
 *
 * @throws MajordomusError 12 where there is none and that was not said, 10 where its record cannot be read.
 */
function taskOf(checkout: Checkout, options: HandoverOptions): Task | undefined {
  if (options.noTask === true) return undefined;
  const task = currentTask(checkout);
  if (task !== undefined) return task;
  throw new MajordomusError({
    code: "task.absent",
    exit: EXIT.missing,
    subject: "task",
    message: "there is none in this checkout",
    remedy: "begin one with `majordomus start`, or say --no-task",
  });
}

function refuseIncomplete(checkout: Checkout, body: string): void {
  const missing = missingSections(body, checkout.settings.policy.handover.required_sections);
  if (missing.length === 0) return;
  throw finding(
    "handover.incomplete",
    `missing or empty section(s): ${missing.join(", ")}`,
    "each needs a level-one heading and text under it",
  );
}

/**
 * The body of a handover as it would stand in its record.
 *
 * @throws MajordomusError as {@link writeHandover}.
 */
export function handoverBody(checkout: Checkout, given: string, options: HandoverOptions): string {
  taskOf(checkout, options);
  const body = authoredText(given).replace(/^\n+/, "").trimEnd();
  if (body === "") {
    throw finding("handover.empty", "the body is empty", "give it on standard input, or use --derive");
  }
  refuseIdentityLines(body);
  refuseIncomplete(checkout, body);
  return `${body}\n`;
}

/**
 * The body of the handover that {@link writeDerivedHandover} would write now, and the task that it is of.
 *
 * @throws MajordomusError as {@link writeDerivedHandover}.
 */
export function derivedHandover(
  checkout: Checkout,
  facts: WorkFacts,
  options: HandoverOptions,
): { body: string; task: Task | undefined } {
  const task = options.noTask === true ? undefined : (facts.task ?? taskOf(checkout, options));
  const sections = checkout.settings.policy.handover.required_sections;
  return { body: deriveHandover({ ...facts, task }, sections), task };
}

/**
 * Writes a handover as a worker or a person gives it (records.md 8.3).
 *
 * @throws MajordomusError 10 for an empty body, one that lacks a required section, or one that claims what
 *   only git may say; 12 without a task unless that is said. Nothing is written then.
 */
export function writeHandover(
  checkout: Checkout,
  given: string,
  options: HandoverOptions,
  author: Author,
  moment: Moment,
): WrittenHandover {
  const task = taskOf(checkout, options);
  const body = handoverBody(checkout, given, options);
  return handOver(checkout, { body, task }, options, author, moment, false);
}

/**
 * Writes the handover that git, the ledger and the stores give by themselves (records.md 9.1).
 *
 * @param place of a lost worktree, when recovery writes it.
 * @throws MajordomusError 10 naming a required section that nothing derives; 12 as {@link writeHandover}.
 */
export function writeDerivedHandover(
  checkout: Checkout,
  facts: WorkFacts,
  options: HandoverOptions,
  author: Author,
  moment: Moment,
  place?: RecordPlace,
): WrittenHandover {
  const { body, task } = derivedHandover(checkout, facts, options);
  const record = { body, task, ...(place === undefined ? {} : { place }) };
  return handOver(checkout, record, options, author, moment, true);
}

/** Publishes a handover, notes it, and then the task; one that came only so far is completed. */
function handOver(
  checkout: Checkout,
  record: { body: string; task: Task | undefined; place?: RecordPlace },
  options: HandoverOptions,
  author: Author,
  moment: Moment,
  derived: boolean,
): WrittenHandover {
  const { body, task } = record;
  const deferrable = author.deferrable ?? false;
  const closes = options.close === true && task?.outcome === "active";
  const begun = closes ? findUnclosed(checkout, task, body, derived) : undefined;
  const published: Published =
    begun === undefined
      ? publishRecord(checkout, "handovers", record, moment)
      : {
          path: begun,
          notes: ["it stood already, and the task was still active"],
          withdraw: () => undefined,
        };
  const { path, notes } = published;
  const note = (): Recorded =>
    recordEvent(
      checkout,
      "task.handed_over",
      {
        ...(task === undefined ? {} : { task_id: task.id }),
        handover_path: path,
        closed: closes ? 1 : 0,
        ...(derived ? { derived: 1 } : {}),
      },
      { session: author.session, deferrable },
    );
  const recorded = begun === undefined ? besideRecord(published, note) : "written";
  const at = formatTimestamp(checkout.clock.now());
  const change = closes
    ? closeTask(checkout, task, { checkpoint_at: at, outcome: "handed_over" }, deferrable, path)
    : noteBesideRecord(checkout, task, { checkpoint_at: at }, deferrable, notes);
  return {
    path,
    ...(task === undefined ? {} : { task_id: task.id }),
    moved: change === "changed",
    closed: closes && change === "changed",
    deferred: recorded === "deferred" || change === "deferred",
    notes,
  };
}

/**
 * The last step of a handover that closes its task.
 *
 * @throws MajordomusError 13 saying what stands already: asked for again, the rest is done.
 */
function closeTask(
  checkout: Checkout,
  task: Task,
  changes: TaskChanges,
  deferrable: boolean,
  path: string,
): TaskChange {
  try {
    return noteOnTask(checkout, task, changes, deferrable);
  } catch (error) {
    throw new MajordomusError({
      code: "handover.unclosed",
      exit: EXIT.internal,
      subject: path,
      message: `is written, but the task is still active: ${reasonOf(error)}`,
      remedy: "hand over once more with --close: only what is missing is done then",
      cause: error,
    });
  }
}
