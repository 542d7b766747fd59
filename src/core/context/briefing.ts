import { formatTimestamp } from "../base/time.ts";
import { inert } from "../text/inert.ts";

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
  server?: string;
  blockers: readonly string[];
  /** Sentences about things that need a person: stranded episodes, a pointer that named nothing. */
  notices: readonly string[];
}

const SHOWN_BLOCKERS = 5;

/** A value from a record as one safe physical line, indented so that it reads as a quotation (decisions.md 1.10). */
function quote(text: string): string {
  return `  ${inert(text)}`;
}

function episodeLines(facts: BriefingFacts): string[] {
  const where = `on ${inert(facts.branch)} at ${facts.head?.slice(0, 7) ?? "NONE"}`;
  const tree = `working tree ${facts.workingTree ?? "unknown"}`;
  const lines = [`Episode ${facts.episode?.sessionId ?? "(none open)"}, ${where}, ${tree}.`];
  if (facts.episode?.continues !== undefined) lines.push(`It continues episode ${facts.episode.continues}.`);
  if (facts.withoutEpisode !== undefined)
    lines.push(`No episode was opened: ${inert(facts.withoutEpisode)}.`);
  return lines;
}

function taskLines({ task }: BriefingFacts): string[] {
  if (task === undefined) return ["No active task in this checkout."];
  const profile = task.profile === undefined ? "" : `, profile ${inert(task.profile)}`;
  const lines = [`Active task ${inert(task.id)} (${inert(task.outcome)}${profile}):`, quote(task.title)];
  if (task.scope.length > 0) lines.push(`  Scope: ${inert(task.scope.join(", "))}`);
  return lines;
}

function blockerLines({ blockers }: BriefingFacts): string[] {
  if (blockers.length === 0) return [];
  const rest = blockers.length - SHOWN_BLOCKERS;
  return [
    `BLOCKED: ${blockers.length} open question(s) on this branch; a task cannot be completed before they are answered.`,
    ...blockers.slice(0, SHOWN_BLOCKERS).map(quote),
    ...(rest > 0 ? [`  ... and ${rest} more question(s)`] : []),
  ];
}

/** The briefing's lines, most important first within the order of records.md 10. */
function briefingLines(facts: BriefingFacts): string[] {
  return [
    `As of ${formatTimestamp(facts.now)}; replaces earlier briefs.`,
    "## Majordomus — what this repository already knows",
    ...episodeLines(facts),
    ...taskLines(facts),
    ...(facts.server === undefined ? [] : [`Shared server: ${inert(facts.server)}`]),
    ...blockerLines(facts),
    ...facts.notices.map((notice) => inert(notice)),
    "`majordomus context` prints the full briefing, `majordomus status` what is open.",
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
