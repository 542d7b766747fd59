import { formatTimestamp } from "../base/time.ts";
import type { LabelledRecord } from "../ledger/labelled-record.ts";
import { clipBytes } from "../text/clip-bytes.ts";
import { inert } from "../text/inert.ts";
import { handoverLines, nextActionLines } from "./briefing-handover.ts";
import { knowledgeLines } from "./briefing-knowledge.ts";
import type { BriefedQueue } from "./briefing-knowledge.ts";
import { GENEROUS, quote, TIGHT } from "./briefing-width.ts";
import type { Width } from "./briefing-width.ts";

/** What the start of a session is told; gathered by the boundary, worded here alone. */
export interface BriefingFacts {
  now: number;
  episode?: { sessionId: string; continues?: string };
  /** Why no episode was opened for this session, when that was refused or deferred. */
  withoutEpisode?: string;
  branch: string;
  head: string | undefined;
  /** Undefined where git did not answer in time. */
  workingTree: "clean" | "dirty" | undefined;
  task?: { id: string; outcome: string; profile?: string; title: string; scope: readonly string[] };
  /** Why it is unknown whether there is a task. */
  taskDoubt?: string | undefined;
  server?: string;
  blockers: readonly string[];
  /** Why there may be more of them. */
  blockersDoubt?: string | undefined;
  /** The handover that resolves here, if one does. */
  handover?: LabelledRecord;
  /** Why it is unknown whether one does, in one clause, and a command that shows it. */
  handoverDoubt?: string | undefined;
  /** What awaits review. */
  knowledge?: BriefedQueue;
  /** Sentences about things that need a person: stranded episodes, a pointer that named nothing. */
  notices: readonly string[];
}

const SHOWN_BLOCKERS = 5;
/** Of a long output a provider may show only the beginning: blockers and next action stand in it (promise 5). */
const FIRST_BYTES = 2000;
/** What a next action has at least. */
const NEXT_ACTION_BYTES = 400;

function bytesOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

function episodeLines(facts: BriefingFacts, width: Width): string[] {
  const branch = clipBytes(inert(facts.branch), width.name);
  const where = `on ${branch} at ${facts.head?.slice(0, 7) ?? "NONE"}`;
  const tree = `working tree ${facts.workingTree ?? "unknown"}`;
  const lines = [`Episode ${facts.episode?.sessionId ?? "(none open)"}, ${where}, ${tree}.`];
  if (facts.episode?.continues !== undefined) lines.push(`It continues episode ${facts.episode.continues}.`);
  if (facts.withoutEpisode !== undefined)
    lines.push(`No episode was opened: ${clipBytes(inert(facts.withoutEpisode), width.value)}.`);
  return lines;
}

function taskLines({ task, taskDoubt }: BriefingFacts, width: Width): string[] {
  if (taskDoubt !== undefined)
    return [
      `Active task unknown: ${clipBytes(inert(taskDoubt), width.value)}. \`majordomus check\` names the file.`,
    ];
  if (task === undefined) return ["No active task in this checkout."];
  const profile = task.profile === undefined ? "" : `, profile ${clipBytes(inert(task.profile), width.name)}`;
  const lines = [
    `Active task ${inert(task.id)} (${inert(task.outcome)}${profile}):`,
    quote(task.title, width.value),
  ];
  if (task.scope.length > 0) lines.push(quote(`Scope: ${task.scope.join(", ")}`, width.value));
  return lines;
}

function blockerLines({ blockers, blockersDoubt }: BriefingFacts, width: Width): string[] {
  const unknown =
    blockersDoubt === undefined
      ? []
      : [
          `BLOCKED: open questions unknown: ${clipBytes(inert(blockersDoubt), width.value)}; a task cannot be completed before this is put right.`,
        ];
  return [...unknown, ...askedLines(blockers, width)];
}

function askedLines(blockers: readonly string[], width: Width): string[] {
  if (blockers.length === 0) return [];
  const rest = blockers.length - SHOWN_BLOCKERS;
  return [
    `BLOCKED: ${blockers.length} open question(s) on this branch; a task cannot be completed before they are answered.`,
    ...blockers.slice(0, SHOWN_BLOCKERS).map((blocker) => quote(blocker, width.line)),
    ...(rest > 0 ? [`  ... and ${rest} more question(s)`] : []),
  ];
}

/** Everything up to the next action, which takes what is left of the first bytes. */
function firstLines(facts: BriefingFacts, width: Width): string[] {
  return [
    `As of ${formatTimestamp(facts.now)}; replaces earlier briefs.`,
    "## Majordomus — what this repository already knows",
    ...episodeLines(facts, width),
    ...taskLines(facts, width),
    ...(facts.server === undefined ? [] : [`Shared server: ${clipBytes(inert(facts.server), width.value)}`]),
    ...blockerLines(facts, width),
    ...(facts.handoverDoubt === undefined
      ? handoverLines(facts.handover, width)
      : [`Handover unknown: ${clipBytes(inert(facts.handoverDoubt), width.value)}.`]),
  ];
}

/** The briefing's lines, most important first within the order of records.md 10. */
function briefingLines(facts: BriefingFacts): string[] {
  const generous = firstLines(facts, GENEROUS);
  const fits = bytesOf(generous) + NEXT_ACTION_BYTES <= FIRST_BYTES;
  const width = fits ? GENEROUS : TIGHT;
  const first = fits ? generous : firstLines(facts, TIGHT);
  return [
    ...first,
    ...nextActionLines(facts.handover, width, FIRST_BYTES - bytesOf(first)),
    ...facts.notices.map((notice) => inert(notice)),
    ...knowledgeLines(facts.knowledge, width),
    "`majordomus context` prints the full briefing, `majordomus check` judges the work against its task.",
  ];
}

/** Cuts lines to a budget of lines and of UTF-8 bytes; the last line says how many were withheld. */
function withinBudget(lines: readonly string[], maximumLines: number, maximumBytes: number): string {
  const bytes = (kept: readonly string[]): number => Buffer.byteLength(`${kept.join("\n")}\n`);
  const withheld = (count: number): string =>
    `... ${count} more line(s) withheld by session.briefing_budget_lines; \`majordomus context\` has all`;
  if (lines.length <= maximumLines && bytes(lines) <= maximumBytes) return `${lines.join("\n")}\n`;
  let kept = lines.slice(0, maximumLines);
  while (kept.length > 0 && bytes([...kept, withheld(lines.length - kept.length)]) > maximumBytes) {
    kept = kept.slice(0, -1);
  }
  return `${[...kept, withheld(lines.length - kept.length)].join("\n")}\n`;
}

/** Composes what a start event prints: facts only, dated, bounded (records.md 10, promise 5). */
export function composeBriefing(facts: BriefingFacts, budget: { lines: number; bytes: number }): string {
  return withinBudget(briefingLines(facts), budget.lines, budget.bytes);
}
