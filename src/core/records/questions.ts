import type { Result } from "../base/result.ts";
import { failed, ok } from "../base/result.ts";
import { readRegularFile } from "../fs/read.ts";
import { withoutComments } from "./comments.ts";

/** Between the parts of a line; a question may not contain it. */
export const QUESTION_SEPARATOR = " — ";

/** A larger index is not read. */
export const INDEX_MAXIMUM_BYTES = 8 * 1024 * 1024;

export interface OpenQuestion {
  task: string;
  question: string;
  /** `YYYY-MM-DD`. */
  date: string;
}

export interface ResolvedQuestion extends OpenQuestion {
  answer: string;
}

export interface Questions {
  open: OpenQuestion[];
  resolved: ResolvedQuestion[];
  /** Lines that look like a question and have neither of the two shapes; numbers count from 1. */
  malformed: { line: number; text: string }[];
}

const OPEN_PREFIX = "- [unresolved] ";
const RESOLVED_PREFIX = /^- \[resolved (\d{4}-\d\d-\d\d)\] /;
const DATE_SUFFIX = / \((\d{4}-\d\d-\d\d)\)$/;

/**
 * What a person or another tool meant as an entry, behind blanks and a bullet: the word in its bracket, which is no
 * link, no reference and not stressed. Only the two exact shapes are questions; such a line is a mistyped one.
 */
const LIKE_AN_ENTRY =
  /^[^\S\r\n]*[-*+][^\S\r\n]*\[[^\S\r\n]*(?:un)?resolved(?![\w-])(?![^\]\r\n]*\][([:*])/im;

/** Without a bullet of the format the line has to go on as an entry does: one word for the task, and a separator. */
const GOES_ON_AS_ENTRY =
  /^[^a-z\r\n]{0,12}\[[^\S\r\n]*(?:un)?resolved(?![\w-])[^\]\r\n]*\][^\S\r\n]+\S+[^\S\r\n]+\u2014 /im;

function isLikeQuestion(line: string): boolean {
  if (line.startsWith("- [")) return true;
  return line.includes("[") && (LIKE_AN_ENTRY.test(line) || GOES_ON_AS_ENTRY.test(line));
}

/** A task's id is one word: with a blank more it would be the id of another task, or of none. */
const TASK = /^\S+$/;

/** Whether the parts of a line are what the shapes want: an id, and text in all others. */
function areParts([task = "", ...texts]: readonly string[]): boolean {
  return TASK.test(task) && texts.length > 0 && texts.every((text) => text.trim() !== "");
}

function parseOpen(line: string): OpenQuestion | undefined {
  const date = DATE_SUFFIX.exec(line);
  if (!line.startsWith(OPEN_PREFIX) || !date) return undefined;
  const parts = line.slice(OPEN_PREFIX.length, date.index).split(QUESTION_SEPARATOR);
  const [task = "", question = ""] = parts;
  if (parts.length !== 2 || !areParts(parts)) return undefined;
  return { task, question, date: date[1] ?? "" };
}

function parseResolved(line: string): ResolvedQuestion | undefined {
  const prefix = RESOLVED_PREFIX.exec(line);
  if (!prefix) return undefined;
  const [task = "", question = "", ...rest] = line.slice(prefix[0].length).split(QUESTION_SEPARATOR);
  const answer = rest.join(QUESTION_SEPARATOR);
  if (rest.length === 0 || !areParts([task, question, answer])) return undefined;
  return { task, question, answer, date: prefix[1] ?? "" };
}

/**
 * Reads the question index (records.md 8.5). Text in HTML comments is ignored; a comment that is never
 * closed would hide every later question from the gate, so its line is malformed and the rest is read.
 */
export function parseQuestions(text: string): Questions {
  const questions: Questions = { open: [], resolved: [], malformed: [] };
  for (const [index, raw] of withoutComments(text).split("\n").entries()) {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    const unclosed = line.includes("<!--");
    if (!isLikeQuestion(line) && !unclosed) continue;
    const open = parseOpen(line);
    const resolved = open === undefined ? parseResolved(line) : undefined;
    if (open !== undefined && !unclosed) questions.open.push(open);
    else if (resolved !== undefined && !unclosed) questions.resolved.push(resolved);
    else questions.malformed.push({ line: index + 1, text: line });
  }
  return questions;
}

/** The open questions with the number of their lines, from 1, in the order of the file. */
export function locateOpenQuestions(text: string): { line: number; question: OpenQuestion }[] {
  return withoutComments(text)
    .split("\n")
    .flatMap((raw, index) => {
      const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
      const question = line.includes("<!--") ? undefined : parseOpen(line);
      return question === undefined ? [] : [{ line: index + 1, question }];
    });
}

/** Reads the index's file; an absent one has no questions. Fails with the reason when it cannot be read. */
export function readQuestions(path: string): Result<Questions, string> {
  const bytes = readRegularFile(path, { maximumBytes: INDEX_MAXIMUM_BYTES });
  if (bytes.ok) return ok(parseQuestions(bytes.value.toString("utf8")));
  return bytes.error.kind === "absent" ? ok(parseQuestions("")) : failed(bytes.error.message);
}

/** The open questions as far as the index tells them. */
export interface KnownQuestions {
  open: readonly OpenQuestion[];
  /** Why there may be more of them, in one clause: what cannot be read is no evidence that there is none (promise 49). */
  doubt: string | undefined;
}

/** Reads the open questions; an index that cannot be read, or a line of it that does not parse, leaves a doubt. */
export function knownQuestions(path: string): KnownQuestions {
  const questions = readQuestions(path);
  if (!questions.ok) return { open: [], doubt: `the question index cannot be read: ${questions.error}` };
  const { open, malformed } = questions.value;
  const [first] = malformed;
  const doubt = first && `line ${first.line} of the question index is no question line: it may hide one`;
  return { open, doubt };
}

/** The line of a question that is open. */
export function formatOpenQuestion(question: OpenQuestion): string {
  return `${OPEN_PREFIX}${question.task}${QUESTION_SEPARATOR}${question.question} (${question.date})`;
}

/** The line of a question that is answered; `date` is the day of the answer. */
export function formatResolvedQuestion(question: ResolvedQuestion): string {
  const parts = [question.task, question.question, question.answer];
  return `- [resolved ${question.date}] ${parts.join(QUESTION_SEPARATOR)}`;
}
