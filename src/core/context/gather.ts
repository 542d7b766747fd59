import type { Checkout } from "../checkout/checkout.ts";
import { headText } from "../checkout/checkout.ts";
import { stampOf } from "../fs/read.ts";
import { readHistory } from "../ledger/history.ts";
import { readQuestions } from "../records/questions.ts";
import { clip, inert } from "../text/inert.ts";
import { assembleContext } from "./document.ts";
import type { ContextDocument, Exclusion, Section } from "./document.ts";

export interface ContextRequest {
  workingTree: "clean" | "dirty" | undefined;
  /** How the frozen briefing of the open episode stands to HEAD; absent while it is being frozen. */
  briefing?: string;
  /** How many events of recent history; 0 leaves the section out. */
  historyDepth: number;
  /** Lines; the policy's `context.builder_budget_lines` when absent. */
  budgetLines?: number;
}

const LABEL_WIDTH = 13;
const LINE_CHARACTERS = 400;
/** Recent events stand at the end of the ledger: older ones need not be read. */
const HISTORY_TAIL_BYTES = 512 * 1024;

function safe(text: string): string {
  return clip(inert(text), LINE_CHARACTERS);
}

function gitSection(checkout: Checkout, request: ContextRequest): Section {
  const row = (label: string, value: string): string => `${label.padEnd(LABEL_WIDTH)}${safe(value)}`;
  return {
    id: "git",
    heading: "GIT",
    lines: [
      row("repository", checkout.root),
      row("branch", checkout.branch),
      row("head", headText(checkout)),
      row("working_tree", request.workingTree ?? "unknown"),
      ...(request.briefing === undefined ? [] : [row("briefing", request.briefing)]),
    ],
  };
}

function questionSection(checkout: Checkout, excluded: Exclusion[]): Section {
  const questions = readQuestions(checkout.layout.questions);
  if (!questions.ok) {
    excluded.push({ item: "open-questions", reason: safe(questions.error) });
    return { id: "questions", heading: "OPEN QUESTIONS", lines: ["- the question file cannot be read"] };
  }
  const { open, malformed } = questions.value;
  const maximum = checkout.settings.policy.context.max_list_items;
  if (open.length > maximum) {
    excluded.push({
      item: `${open.length - maximum} open question(s)`,
      reason: "beyond context.max_list_items",
    });
  }
  if (malformed.length > 0) {
    excluded.push({ item: `${malformed.length} question line(s)`, reason: "do not parse" });
  }
  const lines = open
    .slice(0, maximum)
    .map(({ question, task, date }) => `- ${safe(question)} (${safe(task)}, ${date})`);
  return { id: "questions", heading: "OPEN QUESTIONS", lines: lines.length === 0 ? ["- none"] : lines };
}

function historySection(checkout: Checkout, depth: number, excluded: Exclusion[]): Section[] {
  if (depth === 0) {
    excluded.push({ item: "history", reason: "the profile's recent_history_depth is 0" });
    return [];
  }
  const size = stampOf(checkout.layout.ledger)?.size ?? 0;
  const history = readHistory(
    checkout.layout.ledger,
    { limit: depth },
    Math.max(0, size - HISTORY_TAIL_BYTES),
  );
  const lines = history.lines.map(({ ts, event, summary }) => safe(`- ${ts} ${event} ${summary}`.trimEnd()));
  return [
    {
      id: "recent-history",
      heading: "RECENT HISTORY",
      lines: lines.length === 0 ? ["- none"] : lines,
      dropRank: 1,
    },
  ];
}

/** Builds the context document from the records and git of this checkout; writes nothing (records.md 11). */
export function buildContext(checkout: Checkout, request: ContextRequest): ContextDocument {
  const excluded: Exclusion[] = [];
  const sections = [
    gitSection(checkout, request),
    questionSection(checkout, excluded),
    ...historySection(checkout, request.historyDepth, excluded),
  ];
  const limit = request.budgetLines ?? checkout.settings.policy.context.builder_budget_lines;
  return assembleContext(checkout.clock.now(), sections, excluded, limit);
}
