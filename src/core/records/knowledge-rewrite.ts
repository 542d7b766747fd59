import type { Result } from "../base/result.ts";
import { failed, ok } from "../base/result.ts";
import { plainOrQuoted } from "../text/flat-yaml.ts";
import { splitFrontMatter } from "../text/split-front-matter.ts";
import { parseKnowledge } from "./knowledge.ts";
import { RECORD_MAXIMUM_BYTES } from "./record-file.ts";

/** What becomes of a candidate when a person has judged it. */
export interface KnowledgeChanges {
  status: "verified" | "superseded";
  date?: string;
  class?: string;
  superseded_by?: string;
  /** A reference to add to `provenance.derived_from`, unless it stands there. */
  derivedFrom?: string;
  /** A level-one section at the body's end. */
  section: { name: "Evidence" | "Rejected"; text: string };
}

const FIELD_ORDER = ["status", "date", "class"] as const;

function lineOfKey(lines: readonly string[], key: string): number {
  return lines.findIndex((line) => line.startsWith(`${key}:`));
}

/** Replaces a top-level value's line, or adds it after `follows`. */
function setField(lines: string[], key: string, value: string, follows: string): void {
  const at = lineOfKey(lines, key);
  const line = `${key}: ${plainOrQuoted(value)}`;
  if (at >= 0) lines[at] = line;
  else lines.splice(lineOfKey(lines, follows) + 1 || lines.length, 0, line);
}

/** The index after the block of lines that are indented deeper than `indent`, list items of its own indent included. */
function blockEnd(lines: readonly string[], start: number, indent: number): number {
  let end = start + 1;
  for (let index = start + 1; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    if (line.trim() === "") continue;
    const depth = line.length - line.trimStart().length;
    if (depth < indent || (depth === indent && !line.trimStart().startsWith("-"))) break;
    end = index + 1;
  }
  return end;
}

/** Adds one reference to the list of what a record came from, in the list's own indent. */
function addSource(lines: string[], reference: string): void {
  const item = plainOrQuoted(reference);
  const provenance = lineOfKey(lines, "provenance");
  if (provenance < 0) {
    lines.push("provenance:", "  derived_from:", `    - ${item}`);
    return;
  }
  const end = blockEnd(lines, provenance, 0);
  const list = lines.findIndex(
    (line, index) => index > provenance && index < end && /^ {2}derived_from:/.test(line),
  );
  if (list < 0) {
    lines.splice(end, 0, "  derived_from:", `    - ${item}`);
    return;
  }
  const listEnd = blockEnd(lines, list, 2);
  const indent = /^( *)-/.exec(lines[listEnd - 1] ?? "")?.[1] ?? "    ";
  // `derived_from: []` and a bare key become a block.
  if (listEnd === list + 1) lines[list] = "  derived_from:";
  lines.splice(listEnd, 0, `${indent}- ${item}`);
}

function rewriteHead(head: string, changes: KnowledgeChanges, standing: readonly string[]): string {
  const lines = head.split("\n");
  // The head ends with a newline: the empty rest is not a line to insert after.
  lines.pop();
  for (const key of FIELD_ORDER) {
    const value = changes[key];
    if (value !== undefined) setField(lines, key, value, "description");
  }
  if (changes.superseded_by !== undefined) setField(lines, "superseded_by", changes.superseded_by, "status");
  if (changes.derivedFrom !== undefined && !standing.includes(changes.derivedFrom)) {
    addSource(lines, changes.derivedFrom);
  }
  return `${lines.join("\n")}\n`;
}

/**
 * Changes a record in its own text: every other byte of the head, unknown keys and comments included, stays
 * as it was; the body gets one more section. Fails, changing nothing, when the result would not read back or
 * would grow too large.
 */
export function rewriteKnowledge(source: string, changes: KnowledgeChanges): Result<string, string> {
  const crlf = /^[^\n]*\r\n/.test(source);
  const text = crlf ? source.replaceAll("\r\n", "\n") : source;
  const split = splitFrontMatter(text);
  const before = parseKnowledge(text);
  if (!split.ok) return split;
  if (!before.ok) return before;
  const head = rewriteHead(split.value.head, changes, before.value.derivedFrom);
  const { name, text: words } = changes.section;
  const body = `${split.value.body.trimEnd()}\n\n# ${name}\n\n${words.trim()}\n`;
  const rewritten = `---\n${head}---\n${body.startsWith("\n") ? "" : "\n"}${body}`;
  if (Buffer.byteLength(rewritten) > RECORD_MAXIMUM_BYTES) {
    return failed(`the record would be larger than ${RECORD_MAXIMUM_BYTES} bytes`);
  }
  const after = parseKnowledge(rewritten);
  if (!after.ok || !readsBack(after.value, changes))
    return failed("does not read back from the rewritten record");
  return ok(crlf ? rewritten.replaceAll("\n", "\r\n") : rewritten);
}

function readsBack(
  after: Extract<ReturnType<typeof parseKnowledge>, { ok: true }>["value"],
  changes: KnowledgeChanges,
): boolean {
  return (
    FIELD_ORDER.every((key) => changes[key] === undefined || after[key] === changes[key]) &&
    (changes.superseded_by === undefined || after.supersededBy === changes.superseded_by) &&
    (changes.derivedFrom === undefined || after.derivedFrom.includes(changes.derivedFrom))
  );
}
