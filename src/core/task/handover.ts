import { EXIT, MajordomusError } from "../base/error.ts";
import { formatTimestamp } from "../base/time.ts";
import type { Checkout } from "../checkout/checkout.ts";
import type { Moment } from "../git/moment.ts";
import { recordEvent } from "../ledger/record-event.ts";
import { missingSections } from "../records/body-sections.ts";
import { refuseIdentityLines } from "../records/refuse-identity.ts";
import type { Task } from "../records/task.ts";
import { authoredText } from "../text/authored.ts";
import type { Author } from "./author.ts";
import type { WrittenRecord } from "./checkpoint.ts";
import { currentTask, noteOnTask } from "./current-task.ts";
import { deriveHandover } from "./derive-handover.ts";
import { publishRecord } from "./publish-record.ts";
import type { RecordPlace } from "./publish-record.ts";
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
 * @throws MajordomusError 12 where there is none and that was not said.
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
  const { path, notes } = publishRecord(checkout, "handovers", { body, task }, moment);
  return settle(checkout, task, options.close ?? false, author, { path, notes }, false);
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
  const { path, notes } = publishRecord(checkout, "handovers", record, moment);
  return settle(checkout, task, options.close ?? false, author, { path, notes }, true);
}

function settle(
  checkout: Checkout,
  task: Task | undefined,
  close: boolean,
  author: Author,
  published: { path: string; notes: string[] },
  derived: boolean,
): WrittenHandover {
  const deferrable = author.deferrable ?? false;
  const closes = close && task?.outcome === "active";
  const recorded = recordEvent(
    checkout,
    "task.handed_over",
    {
      ...(task === undefined ? {} : { task_id: task.id }),
      handover_path: published.path,
      closed: closes ? 1 : 0,
      ...(derived ? { derived: 1 } : {}),
    },
    { session: author.session, deferrable },
  );
  const changes = {
    checkpoint_at: formatTimestamp(checkout.clock.now()),
    ...(closes ? { outcome: "handed_over" as const } : {}),
  };
  const change = noteOnTask(checkout, task, changes, deferrable);
  return {
    path: published.path,
    ...(task === undefined ? {} : { task_id: task.id }),
    moved: change === "changed",
    closed: closes && change === "changed",
    deferred: recorded === "deferred" || change === "deferred",
    notes: published.notes,
  };
}
