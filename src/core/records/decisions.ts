import type { Result } from "../base/result.ts";
import { failed, ok } from "../base/result.ts";
import { readRegularFile } from "../fs/read.ts";
import { withoutComments } from "./comments.ts";

/** Between the date and the title of an entry's heading. */
const SEPARATOR = " — ";
/** A larger log is not read. */
export const LOG_MAXIMUM_BYTES = 16 * 1024 * 1024;

/** What a missing log begins with (records.md 8.4). */
export const DECISIONS_PREAMBLE =
  "# Decisions\n\nAppend-only. One dated entry per decision. Newest at the bottom.\n";

/** One entry of the log. A field that the entry does not have is undefined; `-` stands for none. */
export interface Decision {
  /** The heading without its marks: `<date> — <title>`. */
  heading: string;
  /** `YYYY-MM-DD`; undefined where the heading has none. */
  date?: string;
  title: string;
  task?: string;
  head?: string;
  why?: string;
  rejected?: string;
  evidence?: string;
  supersedes?: string;
  /** Where an entry came from that another machine made. */
  carried?: string;
  /** The number of its heading's line, from 1. */
  line: number;
}

const HEADING = /^## +(.+?)\s*$/;
/** With a dash between them. */
const DATED = /^(\d{4}-\d\d-\d\d) \u2014 (.+)$/;
const FIELD = /^(Task|Head|Why|Rejected|Evidence|Supersedes|Carried): *(.*?)\s*$/;

type FieldKey = "task" | "head" | "why" | "rejected" | "evidence" | "supersedes" | "carried";

/** Reads the log, oldest first. Text in HTML comments is ignored; other lines of an entry are kept on disk and not read. */
export function parseDecisions(text: string): Decision[] {
  const decisions: Decision[] = [];
  for (const [index, raw] of withoutComments(text).split("\n").entries()) {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    const heading = HEADING.exec(line)?.[1];
    if (heading !== undefined) {
      const dated = DATED.exec(heading);
      decisions.push({
        heading,
        ...(dated === null ? {} : { date: dated[1] ?? "" }),
        title: dated?.[2] ?? heading,
        line: index + 1,
      });
      continue;
    }
    const field = FIELD.exec(line);
    const current = decisions.at(-1);
    if (field === null || current === undefined) continue;
    const key = (field[1] ?? "").toLowerCase() as FieldKey;
    current[key] ??= field[2] ?? "";
  }
  return decisions;
}

/**
 * Entries that a later one says it replaces, by their title or their whole heading, each with the newest that says
 * so. Of several with one title, all that stand before it.
 */
export function supersededDecisions(decisions: readonly Decision[]): ReadonlyMap<Decision, Decision> {
  const superseded = new Map<Decision, Decision>();
  const named = new Map<string, Decision[]>();
  const note = (name: string, decision: Decision): void => {
    const known = named.get(name);
    if (known === undefined) named.set(name, [decision]);
    else known.push(decision);
  };
  for (const decision of decisions) {
    // An entry that names itself comes after nothing of that name.
    for (const earlier of named.get(decision.supersedes ?? "") ?? []) superseded.set(earlier, decision);
    note(decision.title, decision);
    if (decision.heading !== decision.title) note(decision.heading, decision);
  }
  return superseded;
}

/** Reads the log's file; an absent one has no decisions. Fails with the reason when it cannot be read. */
export function readDecisions(path: string): Result<Decision[], string> {
  const bytes = readRegularFile(path, { maximumBytes: LOG_MAXIMUM_BYTES });
  if (bytes.ok) return ok(parseDecisions(bytes.value.toString("utf8")));
  return bytes.error.kind === "absent" ? ok([]) : failed(bytes.error.message);
}

/** What a new entry says; every value is one line. */
export interface DecisionEntry {
  date: string;
  title: string;
  task: string;
  head: string;
  why: string;
  rejected?: string;
  evidence?: string;
  supersedes?: string;
}

/** The entry as the original writes it, its last newline included. */
export function formatDecision(entry: DecisionEntry): string {
  return [
    `## ${entry.date}${SEPARATOR}${entry.title}`,
    `Task: ${entry.task}`,
    `Head: ${entry.head}`,
    `Why: ${entry.why}`,
    `Rejected: ${entry.rejected ?? "-"}`,
    `Evidence: ${entry.evidence ?? "-"}`,
    `Supersedes: ${entry.supersedes ?? "-"}`,
    "",
  ].join("\n");
}
