import { taskOf } from "../../ledger/describe.ts";
import { parseLine } from "../../ledger/line.ts";
import { parseDecisions } from "../../records/decisions.ts";
import { parseQuestions } from "../../records/questions.ts";
import { splitFrontMatter } from "../../text/split-front-matter.ts";
import type { FoundLine } from "./find-text.ts";
import type { SearchKind } from "./kinds.ts";

/** Whether a found line belongs to a task. `text` reads the whole file, and is asked only where it decides. */
type Belongs = (found: FoundLine, task: string, text: () => string) => boolean;

function headOf(text: string): string {
  const split = splitFrontMatter(text);
  return split.ok ? split.value.head : "";
}

function namesTask(head: string, task: string): boolean {
  return head.split(/\r?\n/).some((line) => line === `task_id: ${task}` || line === `task_id: "${task}"`);
}

const never: Belongs = () => false;
const byRecord: Belongs = (_found, task, text) => namesTask(headOf(text()), task);

const byDecision: Belongs = ({ line }, task, text) =>
  parseDecisions(text()).findLast((decision) => decision.line <= line)?.task === task;

const byQuestion: Belongs = ({ text: line }, task) => {
  const { open, resolved } = parseQuestions(line);
  return [...open, ...resolved].some((question) => question.task === task);
};

const bySession: Belongs = (_found, task, text) => {
  const head = headOf(text());
  return namesTask(head, task) || head.split(/\r?\n/).includes(`  - "${task}"`);
};

const byKnowledge: Belongs = (_found, task, text) =>
  headOf(text())
    .split(/\r?\n/)
    .some((line) => [`- task:${task}`, `- decision:${task}`].includes(line.trim()));

const byLedger: Belongs = ({ text: line }, task) => {
  const parsed = parseLine(line);
  return parsed !== undefined && taskOf(parsed) === task;
};

/** How each kind says whose it is; prompts and capsules belong to no task. */
export const BELONGS: Record<SearchKind, Belongs> = {
  handover: byRecord,
  checkpoint: byRecord,
  decision: byDecision,
  question: byQuestion,
  prompt: never,
  session: bySession,
  knowledge: byKnowledge,
  capsule: never,
  ledger: byLedger,
};
