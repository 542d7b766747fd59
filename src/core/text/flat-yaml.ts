import type { Result } from "../base/result.ts";
import { failed, ok } from "../base/result.ts";
import { clip } from "./inert.ts";

/**
 * The flat half of the records' YAML subset (records.md 1.6): top-level `key: value`, block lists
 * and one-line flow lists of scalars, quotes, comments. Small enough for a hook, linear, and without
 * a library; every value stays text, so that a commit id of digits is not read as a number.
 */
export type FlatFields = Map<string, string | string[]>;

/** A key and its value, or (without a key) a list item. */
const LINE = /^(?:([A-Za-z_][\w.-]*):| *-)(?: +(.*))?$/s;
const IGNORED_LINE = /^ *(?:#.*)?$/s;
/** What may follow a quoted value or a list on its line. */
const ONLY_COMMENT = /^[ \t]*(?:#.*)?$/s;

const NAMED_ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  n: "\n",
  r: "\r",
  t: "\t",
  "0": "\0",
};
const ESCAPE = /\\(?:(["\\/nrt0])|x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4}))/g;

function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(ESCAPE, (_, named?: string, short?: string, long?: string) =>
    named === undefined
      ? String.fromCharCode(Number.parseInt(short ?? long ?? "", 16))
      : (NAMED_ESCAPES[named] ?? ""),
  );
}

/** The index of the quote that closes the one at `start`, or -1. */
function closingQuote(text: string, start: number): number {
  const quote = text[start];
  for (let index = start + 1; index < text.length; index += 1) {
    if (quote === '"' && text[index] === "\\") index += 1;
    else if (text[index] === quote) {
      if (quote === "'" && text[index + 1] === "'") index += 1;
      else return index;
    }
  }
  return -1;
}

/** Cuts blanks off both ends: YAML's two alone, since a no-break space may be part of a file's name. */
function withoutBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text, start)) start += 1;
  while (end > start && isBlank(text, end - 1)) end -= 1;
  return text.slice(start, end);
}

function isBlank(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code === 0x20 || code === 0x09;
}

function unquoted(text: string): string {
  const inner = text.slice(1, -1);
  return text[0] === '"' ? unescaped(inner) : inner.replaceAll("''", "'");
}

function scalar(text: string): string {
  const value = withoutBlanks(text);
  const quote = value[0];
  if (quote === '"' || quote === "'") {
    const end = closingQuote(value, 0);
    if (end > 0 && ONLY_COMMENT.test(value.slice(end + 1))) return unquoted(value.slice(0, end + 1));
    // The original strips matching outer quotes whatever stands between them.
    if (value.length > 1 && value.endsWith(quote)) {
      const inner = value.slice(1, -1);
      return quote === '"' ? inner.replaceAll('\\"', '"') : inner;
    }
    return value;
  }
  if (value.startsWith("#")) return "";
  const comment = value.indexOf(" #");
  return comment < 0 ? value : withoutBlanks(value.slice(0, comment));
}

/** Reads `[a, "b, c"]`; undefined where it is not a list of scalars on one line. */
function flowList(text: string): string[] | undefined {
  const items: string[] = [];
  let index = 1;
  for (;;) {
    while (text[index] === " ") index += 1;
    if (text[index] === "]") break;
    const start = index;
    if (text[index] === '"' || text[index] === "'") {
      const end = closingQuote(text, index);
      if (end < 0) return undefined;
      index = end + 1;
    }
    while (index < text.length && text[index] !== "," && text[index] !== "]") index += 1;
    if (index >= text.length) return undefined;
    const item = withoutBlanks(text.slice(start, index));
    if (item === "" || "[{".includes(item.charAt(0))) return undefined;
    items.push(scalar(item));
    if (text[index] === ",") index += 1;
  }
  return ONLY_COMMENT.test(text.slice(index + 1)) ? items : undefined;
}

/** Why a key cannot have this value, or undefined once it is set. */
function setValue(fields: FlatFields, key: string, rest: string): string | undefined {
  if (fields.has(key)) return "the key stands twice";
  const value = withoutBlanks(rest);
  const list = value.startsWith("[") ? flowList(value) : undefined;
  if (list === undefined && /^[[{&*!|>]/.test(value)) return "not a plain value, a quoted value or a list";
  fields.set(key, list ?? scalar(value));
  return undefined;
}

/** Why an item cannot be added to a key's list, or undefined once it is. */
function addItem(fields: FlatFields, key: string, rest: string): string | undefined {
  const list = fields.get(key);
  if (Array.isArray(list)) list.push(scalar(rest));
  else if (list === "") fields.set(key, [scalar(rest)]);
  else return "has a value and list items";
  return undefined;
}

/**
 * Reads flat YAML text. A bare key is the empty string until list items follow it; CRLF is tolerated.
 * Fails, naming the line and the key, on anything nested, on tabs as indentation, on a key that stands
 * twice and on NUL characters. Laxer than YAML where the original is: a plain value may contain `: `, and
 * an unknown escape is kept as it stands.
 *
 * @param firstLine the number of the text's first line in its file: 2 for a head below its fence
 */
export function parseFlat(text: string, firstLine = 1): Result<FlatFields, string> {
  const fields: FlatFields = new Map();
  const hasNul = text.includes("\0");
  let key: string | undefined;
  for (const [index, rawLine] of text.split("\n").entries()) {
    const line = rawLine.endsWith("\r") ? rawLine.slice(0, -1) : rawLine;
    const parts = LINE.exec(line);
    key = parts?.[1] ?? key;
    let problem: string | undefined;
    if (hasNul && line.includes("\0")) problem = "a NUL character";
    else if (parts?.[1] !== undefined) problem = setValue(fields, parts[1], parts[2] ?? "");
    else if (parts !== null && key !== undefined) problem = addItem(fields, key, parts[2] ?? "");
    else if (!IGNORED_LINE.test(line)) problem = "neither `key: value` nor a list item";
    if (problem !== undefined)
      return failed(`line ${index + firstLine}${key === undefined ? "" : ` (${clip(key, 40)})`}: ${problem}`);
  }
  return ok(fields);
}

/** Controls that YAML does not allow raw, as its double-quoted escapes; quote and backslash too. */
function escapedForYaml(value: string): string {
  return value.replace(/["\\]|[^\P{Cc}]/gu, (character) => {
    if (character === '"' || character === "\\") return `\\${character}`;
    if (character === "\t") return "\\t";
    if (character === "\n") return "\\n";
    if (character === "\r") return "\\r";
    return `\\x${(character.codePointAt(0) ?? 0).toString(16).padStart(2, "0")}`;
  });
}

/** A value as records write it in quotes: `\` and `"` escaped, newlines deleted. */
export function quoted(value: string): string {
  return `"${escapedForYaml(value.replaceAll(/[\r\n]/g, ""))}"`;
}

const INDICATOR = /^[-?:,[\]{}#&*!|>'"%@`~]/;
const UNSAFE_INSIDE = /: |:$| #|^ | $|\p{Cc}|\u{feff}|\u{2028}|\u{2029}/u;
/** What YAML, in its present or its older version, reads as something else than text. */
const NOT_TEXT =
  /^(?:null|true|false|yes|no|on|off|y|n|[-+]?(?:\.inf|\.nan|0[xob][\da-f_]+|[\d.][\d_.:]*(?:e[-+]?\d+)?|e[-+]?\d+))$/i;

/**
 * A value as it stands where records write it without quotes (branch, path, commit id): plain when both
 * the subset and real YAML read the same text back, else quoted, with newlines and controls escaped so
 * that every path comes back exactly.
 */
export function plainOrQuoted(value: string): string {
  const plain = value !== "" && !INDICATOR.test(value) && !UNSAFE_INSIDE.test(value) && !NOT_TEXT.test(value);
  return plain ? value : `"${escapedForYaml(value)}"`;
}
