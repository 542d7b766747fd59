import type { LedgerLine } from "../ledger/line.ts";
import type { LedgerValue } from "../ledger/values.ts";
import type { Epistemics, KnowledgeClass } from "../records/knowledge.ts";
import type { SourcesAnswer } from "./answers.ts";

/** What one ledger line says, as far as knowledge is derived from it; every value is one line of text. */
export interface Said {
  event: string;
  /** The literal `none` where the line has no task. */
  task: string;
  episode: string;
  decision: string;
  question: string;
  answer: string;
  outcome: string;
  /** Of the verification that passed; empty where none was recorded. */
  command: string;
  exit: string;
  /** The first line of the completion note's reason; empty where there is none here. */
  reason: string;
}

/** One row of the closed table that says what knowledge is made from (records.md 12.1). */
export interface Source {
  event: string;
  condition: string;
  holds: (said: Said) => boolean;
  /** Names in braces stand for what the line says. */
  title: string;
  /** In place of the title where a reason is known. */
  titleWithReason?: string;
  description: string;
  /** In place of the description where there is no task. */
  descriptionOutsideTask?: string;
  class: KnowledgeClass;
  epistemics: Epistemics;
  tag: string;
  /** What the id is a digest of, in this order. */
  canonical: readonly (keyof Said)[];
  /** The kind of reference to the task. */
  reference: "decision" | "task";
}

const UNFINISHED: ReadonlySet<string> = new Set(["blocked", "failed", "no_match"]);

export const SOURCES: readonly Source[] = [
  {
    event: "decision.recorded",
    condition: "the decision is not empty",
    holds: ({ decision }) => decision !== "",
    title: "{decision}",
    description: "Recorded as a decision under task {task} in episode {episode}.",
    descriptionOutsideTask: "Recorded as a decision outside a task in episode {episode}.",
    class: "convention",
    epistemics: "decided",
    tag: "decision",
    canonical: ["event", "task", "decision"],
    reference: "decision",
  },
  {
    event: "question.resolved",
    condition: "the answer is not empty",
    holds: ({ answer }) => answer !== "",
    title: "{answer}",
    description: 'Answers the question "{question}" resolved under task {task} in episode {episode}.',
    class: "fact",
    epistemics: "observed",
    tag: "question",
    canonical: ["event", "task", "question", "answer"],
    reference: "task",
  },
  {
    event: "task.finished",
    condition: "the outcome is blocked, failed or no_match",
    holds: ({ outcome }) => UNFINISHED.has(outcome),
    title: "Task {task} ended {outcome}",
    titleWithReason: "Task {task} ended {outcome}: {reason}",
    description: "The task reached the outcome {outcome} in episode {episode}.",
    class: "lesson",
    epistemics: "inferred",
    tag: "task",
    canonical: ["event", "task", "outcome"],
    reference: "task",
  },
  {
    event: "task.finished",
    condition: "the outcome is completed and a verification was recorded",
    holds: ({ outcome, command }) => outcome === "completed" && command !== "",
    title: "Task {task} completed; verified by: {command} (exit {exit})",
    description: "The verification command passed when the task finished in episode {episode}.",
    class: "fact",
    epistemics: "observed",
    tag: "task",
    canonical: ["event", "task", "outcome"],
    reference: "task",
  },
];

export const SOURCE_EVENTS: ReadonlySet<string> = new Set(SOURCES.map(({ event }) => event));

/** Line breaks cannot stand in a title, a digest's line or a reference; the original reads tabs as blanks. */
function oneLine(value: LedgerValue | undefined): string {
  return typeof value === "string" ? value.replaceAll(/[\t\r\n]/g, " ") : "";
}

function isObject(value: LedgerValue | undefined): value is { [key: string]: LedgerValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a line of an episode says. Text of nothing but blanks says nothing. */
export function whatIsSaid(line: LedgerLine, episode: string): Said {
  const text = (key: string): string => {
    const value = oneLine(line.fields.get(key));
    return value.trim() === "" ? "" : value;
  };
  const verify = line.fields.get("verify");
  const exit = isObject(verify) ? verify["exit"] : undefined;
  return {
    event: line.event,
    task: text("task_id") || "none",
    episode,
    decision: text("decision"),
    question: text("question"),
    answer: text("answer"),
    outcome: text("outcome"),
    command: isObject(verify) ? oneLine(verify["command"]) : "",
    exit: typeof exit === "number" ? String(exit) : oneLine(exit),
    reason: "",
  };
}

/** The row that a line falls under, if any: anything else yields nothing. */
export function sourceOf(said: Said): Source | undefined {
  return SOURCES.find(({ event, holds }) => event === said.event && holds(said));
}

/** Fills a template in one pass: a value that looks like a placeholder stays as it is. */
export function fill(template: string, said: Said): string {
  return template.replaceAll(/\{(\w+)\}/g, (whole, key: string) => said[key as keyof Said] ?? whole);
}

/** The table for people and programs. */
export function listSources(): SourcesAnswer["sources"] {
  return SOURCES.map((source) => ({
    event: source.event,
    condition: source.condition,
    title: source.title,
    ...(source.titleWithReason === undefined ? {} : { title_with_reason: source.titleWithReason }),
    description: source.description,
    ...(source.descriptionOutsideTask === undefined
      ? {}
      : { description_outside_task: source.descriptionOutsideTask }),
    class: source.class,
    epistemics: source.epistemics,
    tag: source.tag,
    canonical_lines: [...source.canonical],
  }));
}
