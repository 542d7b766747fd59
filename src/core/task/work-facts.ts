import { join } from "node:path";
import { headText } from "../checkout/checkout.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { workingChanges } from "../checkout/working-changes.ts";
import { isCommitId } from "../base/id.ts";
import { scanMatching } from "../fs/scan.ts";
import { byBytes } from "../git/byte-order.ts";
import type { CommitRange } from "../git/commits.ts";
import type { Moment } from "../git/moment.ts";
import { labelDivergence } from "../labels/divergence.ts";
import type { DivergenceLabel } from "../labels/divergence.ts";
import { parseLineBytes, textField } from "../ledger/line.ts";
import type { LedgerLine } from "../ledger/line.ts";
import { scanLedger } from "../ledger/read.ts";
import { readDecisions } from "../records/decisions.ts";
import type { Decision } from "../records/decisions.ts";
import { knownQuestions } from "../records/questions.ts";
import type { OpenQuestion } from "../records/questions.ts";
import { readOptionalRecordText } from "../records/record-file.ts";
import { ownTaskOf, readTaskHere, taskDoubt } from "../records/task.ts";
import type { Task } from "../records/task.ts";
import { parseWorkRecord } from "../records/work-record.ts";

/** The episode that a derived record is about. */
export interface EpisodeStart {
  sessionId: string;
  branch: string;
  /** The commit at its opening, `NONE` before the first one. */
  startHead: string;
}

/** What a derived record is made of: git, the ledger and the stores, and nothing that anybody claims. */
export interface WorkFacts {
  branch: string;
  head: string;
  workingTree: "clean" | "dirty" | "unknown";
  task: Task | undefined;
  episode: EpisodeStart | undefined;
  /** Since when commits and changes are counted. */
  since: { head: string; branch: string; what: "the task started" | "the episode opened" } | undefined;
  /** How HEAD stands to that beginning. */
  moved: DivergenceLabel;
  commits: CommitRange;
  /** Committed since the beginning (where it is an ancestor) or changed in the working tree; no records; sorted. */
  changedFiles: readonly string[];
  /** The episode's lines where one is open, else the task's, else those outside any task on this branch. */
  lines: readonly LedgerLine[];
  questions: readonly OpenQuestion[];
  /** Of the task, else of the whole log; oldest first. */
  decisions: readonly Decision[];
  /** The body of the newest checkpoint of these lines: an authored one before a derived one. */
  checkpoint: string | undefined;
  /** The last `task.finished` of this task, where it ended. */
  finished: LedgerLine | undefined;
  limits: WorkLimits;
  doubts: WorkDoubts;
  /** The worktree is gone: what it alone knew can no longer be told. */
  lost?: { worktree: string; tasks: readonly string[] };
}

/** What could not be read, each in one clause; undefined where it could. A record says so instead of "none" (promise 49). */
export interface WorkDoubts {
  task: string | undefined;
  questions: string | undefined;
  decisions: string | undefined;
  /** Of a checkpoint that is newer than the one that is told. */
  checkpoint: string | undefined;
  /** Why it is unknown what was committed since the beginning: it is no ancestor any more, or git did not answer. */
  committed: string | undefined;
}

/** How long the lists of a derived body may be. */
export interface WorkLimits {
  items: number;
  decisions: number;
  checkpointLines: number;
}

/** The limits that the policy sets. */
export function workLimits({ settings }: Pick<Checkout, "settings">): WorkLimits {
  const { context, checkpoint } = settings.policy;
  return {
    items: context.max_list_items,
    decisions: context.recent_decisions,
    checkpointLines: checkpoint.max_body_lines,
  };
}

/** Announces to git what {@link gatherWork} will ask, so that it is answered together with the rest. */
export function announceWork(
  checkout: Pick<Checkout, "layout" | "root">,
  moment: Moment,
  episode: EpisodeStart | undefined,
): void {
  moment.list(ownTaskOf(readTaskHere(checkout))?.head).list(episode?.startHead);
}

/**
 * Gathers the facts for derived records; asks git at most two questions beside the working tree.
 *
 * @param about what the record is of; `undefined` in it where it is to be outside any task. Where it is not given, the
 *   task of this checkout, as far as its record can be read.
 */
export function gatherWork(
  checkout: Checkout,
  moment: Moment,
  episode: EpisodeStart | undefined,
  lines: readonly LedgerLine[],
  about?: { task: Task | undefined },
): WorkFacts {
  const here = about === undefined ? readTaskHere(checkout) : undefined;
  const task = about === undefined ? here && ownTaskOf(here) : about.task;
  moment.list(task?.head).list(episode?.startHead);
  const since = beginning(task, episode);
  const tree = moment.tree();
  const questions = knownQuestions(checkout.layout.questions);
  const decisions = readDecisions(checkout.layout.decisions);
  const checkpoint = newestCheckpoint(checkout.layout.checkpoints, lines);
  const known = since !== undefined && isCommitId(since.head);
  const committed = known ? moment.changedSince(since.head) : undefined;
  const changed = [
    ...(committed?.ok === true ? committed.value : []),
    ...(tree.ok ? tree.value.changed : []),
  ];
  return {
    branch: checkout.branch,
    head: headText(checkout),
    workingTree: tree.ok ? tree.value.state : "unknown",
    task,
    episode,
    since,
    moved: labelDivergence(since ?? {}, checkout, (commit) => moment.ancestry(commit)),
    commits: known ? moment.since(since.head) : { state: "ok", commits: [] },
    changedFiles: workingChanges(checkout, [...new Set(changed)].toSorted(byBytes)),
    lines,
    questions: questions.open,
    decisions: decisions.ok
      ? decisions.value.filter((decision) => task === undefined || decision.task === task.id)
      : [],
    checkpoint: checkpoint.body,
    finished: task === undefined || task.outcome === "active" ? undefined : lastFinish(checkout, task.id),
    limits: workLimits(checkout),
    doubts: {
      task: here && taskDoubt(here),
      questions: questions.doubt,
      decisions: decisions.ok ? undefined : `the decision log cannot be read: ${decisions.error}`,
      checkpoint: checkpoint.doubt,
      committed: committed === undefined || committed.ok ? undefined : committed.error,
    },
  };
}

function beginning(task: Task | undefined, episode: EpisodeStart | undefined): WorkFacts["since"] {
  if (task !== undefined && task.head !== "") {
    return { head: task.head, branch: task.branch, what: "the task started" };
  }
  return episode && { head: episode.startHead, branch: episode.branch, what: "the episode opened" };
}

/** The events that a derived record counts, in the order in which it names them, and what it calls them. */
export const TALLIED: ReadonlyMap<string, string> = new Map([
  ["task.checkpoint", "checkpoint"],
  ["decision.recorded", "decision"],
  ["question.opened", "question"],
  ["task.handed_over", "handover"],
]);

/** Whether a ledger line is of a record that nobody wrote by hand. */
export function isDerived(line: LedgerLine): boolean {
  const mark = line.fields.get("derived");
  return mark === 1 || mark === true;
}

/** A checkpoint's body, and why a newer one is not told, in one clause. */
export interface ToldCheckpoint {
  body: string | undefined;
  doubt: string | undefined;
}

/**
 * The newest checkpoint that these lines name and that stands in a directory: authored ones first. One that is gone was
 * put away by somebody; one that stands and cannot be read is told of.
 */
export function newestCheckpoint(directory: string, lines: readonly LedgerLine[]): ToldCheckpoint {
  let doubt: string | undefined;
  const named = lines.filter((line) => textField(line, "checkpoint_path") !== undefined).toReversed();
  const ordered = [...named.filter((line) => !isDerived(line)), ...named.filter(isDerived)];
  for (const line of ordered) {
    const name = (textField(line, "checkpoint_path") ?? "").split("/").at(-1) ?? "";
    const text = readOptionalRecordText(join(directory, name));
    if (text.ok && text.value === undefined) continue;
    const record = text.ok ? parseWorkRecord(text.value ?? "") : text;
    if (record.ok) return { body: record.value.body.trim(), doubt };
    doubt ??= `the checkpoint ${name} cannot be read: ${record.error}`;
  }
  return { body: undefined, doubt };
}

function lastFinish(checkout: Pick<Checkout, "layout">, task: string): LedgerLine | undefined {
  let found: LedgerLine | undefined;
  scanMatching(checkout.layout.ledger, '"task.finished"', 0, (buffer, start, end) => {
    const line = parseLineBytes(buffer, start, end);
    if (line?.event === "task.finished" && textField(line, "task_id") === task) found = line;
  });
  return found;
}

/** The ledger lines of a task, in file order: what is counted where no episode is open. */
export function taskLines(checkout: Pick<Checkout, "layout">, task: string): LedgerLine[] {
  const found: LedgerLine[] = [];
  scanMatching(checkout.layout.ledger, Buffer.from(`"${task}"`), 0, (buffer, start, end) => {
    const line = parseLineBytes(buffer, start, end);
    if (line !== undefined && textField(line, "task_id") === task) found.push(line);
  });
  return found;
}

/** What somebody recorded outside any task on this branch, in file order: what is counted where no task is meant either. */
export function linesOutsideTasks(checkout: Pick<Checkout, "layout" | "branch">): LedgerLine[] {
  const found: LedgerLine[] = [];
  scanLedger(checkout.layout.ledger, (line) => {
    const isOutside = (textField(line, "task_id") ?? "none") === "none";
    if (isOutside && line.branch === checkout.branch && TALLIED.has(line.event)) found.push(line);
  });
  return found;
}
