import { ageText } from "../../base/time.ts";
import type { Checkout } from "../../checkout/checkout.ts";
import { Moment } from "../../git/moment.ts";
import { labelRecord, NEXT_ACTION } from "../../ledger/labelled-record.ts";
import { RecordShelf } from "../../ledger/record-shelf.ts";
import { withoutSection } from "../../records/body-sections.ts";
import { readDecisions, supersededDecisions } from "../../records/decisions.ts";
import type { BlockToken } from "../../records/prompt-file.ts";
import { knownQuestions } from "../../records/questions.ts";
import type { Task } from "../../records/task.ts";
import { clip, inert, inertLines } from "../../text/inert.ts";

type Block = (checkout: Checkout, task: Task | undefined, context: () => string) => string[];

const LINE_CHARACTERS = 400;
const RECORD_LINES = 200;

function safe(text: string): string {
  return clip(inert(text), LINE_CHARACTERS);
}

function withHeading(heading: string, lines: readonly string[], none: string): string[] {
  return [heading, "", ...(lines.length === 0 ? [none] : lines)];
}

/** Every question of the index, the task's own first: any of them stands in the way of acceptance. */
const questions: Block = (checkout, task) => {
  const heading = "OPEN QUESTIONS";
  const { open, doubt } = knownQuestions(checkout.layout.questions);
  const own = open.filter((question) => question.task === task?.id);
  const ordered = [...own, ...open.filter((question) => question.task !== task?.id)];
  const maximum = checkout.settings.policy.context.max_list_items;
  const lines = ordered
    .slice(0, maximum)
    .map(({ task: of, question, date }) => `- ${safe(question)} (${safe(of)}, ${date})`);
  const rest = ordered.length - lines.length;
  if (rest > 0) lines.push(`- ... and ${rest} more`);
  if (doubt !== undefined) lines.push(safe(`Unknown: ${doubt}.`));
  return withHeading(heading, lines, "None.");
};

/** The task's newest decisions that stand; those of the whole repository without a task. */
const decisions: Block = (checkout, task) => {
  const heading = "DECISIONS";
  const log = readDecisions(checkout.layout.decisions);
  if (!log.ok) return withHeading(heading, [], `The decision log cannot be read: ${safe(log.error)}`);
  const superseded = supersededDecisions(log.value);
  const every = log.value.filter((decision) => task === undefined || decision.task === task.id);
  const ours = every.filter((decision) => !superseded.has(decision));
  const recent = checkout.settings.policy.context.recent_decisions;
  const newest = ours.slice(Math.max(0, ours.length - recent));
  const lines = newest.flatMap((decision) => [
    `- ${safe(decision.heading)}`,
    ...(decision.why === undefined ? [] : [`  Why: ${safe(decision.why)}`]),
  ]);
  const replaced = every.length - ours.length;
  if (replaced > 0) lines.push(`- ... and ${replaced} that a later decision replaced`);
  return withHeading(heading, lines, "None.");
};

/** The record that resolves here, the task's before any other, with both labels; history without what it says to do. */
function record(kind: "checkpoints" | "handovers", heading: string): Block {
  return (checkout, task) => {
    const found = new RecordShelf(checkout).newest(kind, task?.id);
    if (found === undefined) return withHeading(heading, [], "None for this worktree and branch.");
    const labelled = labelRecord(checkout, found, new Moment(checkout.repository, checkout.head));
    const { divergence, freshness, ageMinutes, history } = labelled;
    const body = history
      ? withoutSection(labelled.record.body, NEXT_ACTION)
      : inertLines(labelled.record.body.trimEnd());
    const shown = body.slice(0, RECORD_LINES).map((line) => `> ${safe(line)}`.trimEnd());
    const rest = body.length - shown.length;
    return [
      heading,
      "",
      `${safe(labelled.path)} (${found.tier}, ${divergence}, ${freshness}, ${ageText(ageMinutes)})`,
      ...(history
        ? [`It is ${freshness}: ${safe(labelled.freshnessReason)}. Its next action is not passed on.`]
        : []),
      ...shown,
      ...(rest > 0 ? [`> ... and ${rest} more line(s)`] : []),
    ];
  };
}

const BLOCKS: Record<BlockToken, Block> = {
  OPEN_QUESTIONS: questions,
  DECISIONS: decisions,
  CHECKPOINT: record("checkpoints", "LATEST CHECKPOINT"),
  HANDOVER: record("handovers", "LATEST COMPATIBLE HANDOVER"),
  CONTEXT: (_checkout, _task, context) => inertLines(context().trimEnd()),
};

/** The lines that a block token becomes. */
export function renderBlock(
  token: BlockToken,
  checkout: Checkout,
  task: Task | undefined,
  context: () => string,
): string[] {
  return BLOCKS[token](checkout, task, context);
}
