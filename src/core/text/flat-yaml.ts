import type { Result } from "../base/result.ts";
import { failed, ok } from "../base/result.ts";

/**
 * The flat half of the records' YAML subset (records.md 1.6): top-level `key: value`, block lists
 * and one-line flow lists of scalars, quotes, comments. Small enough for a hook, linear, and without
 * a library; every value stays text, so that a commit id of digits is not read as a number.
 */
export type FlatFields = Map<string, string | string[]>;

const KEY_LINE = /^([A-Za-z_][\w.-]*):(?:[ ]+(.*))?$/s;
const ITEM_LINE = /^ *-(?:[ ]+(.*))?$/s;
const IGNORED_LINE = /^ *(?:#.*)?$/s;
/** What may follow a quoted value or a list on its line. */
const ONLY_COMMENT = /^[ \t]*(?:#.*)?$/s;
const BLANKS = " \t";

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
  while (start < end && BLANKS.includes(text.charAt(start))) start += 1;
  while (end > start && BLANKS.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
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

/**
 * Reads flat YAML text. A bare key is the empty string until list items follow it; CRLF is tolerated.
 * Fails, naming the line and the key, on anything nested, on tabs as indentation, on a key that stands
 * twice and on NUL characters. Stricter than nothing, laxer than YAML where the original is: a plain
 * value may contain `: `, and an unknown escape is kept as it stands.
 *
 * @param firstLine the number of the text's first line in its file: 2 for a head below its fence
 */
export function parseFlat(text: string, firstLine = 1): Result<FlatFields, string> {
  const fields: FlatFields = new Map();
  let key: string | undefined;
  const lines = text.split("\n");
  for (const [index, rawLine] of lines.entries()) {
    const line = rawLine.endsWith("\r") ? rawLine.slice(0, -1) : rawLine;
    const at = `line ${index + firstLine}`;
    if (line.includes("\0"))
      return failed(`${at}${key === undefined ? "" : `, at or after ${key}`}: a NUL character`);
    if (IGNORED_LINE.test(line)) continue;
    const keyLine = KEY_LINE.exec(line);
    if (keyLine) {
      key = keyLine[1] ?? "";
      if (fields.has(key)) return failed(`${at}: the key ${key} stands twice`);
      const value = withoutBlanks(keyLine[2] ?? "");
      const list = value.startsWith("[") ? flowList(value) : undefined;
      if (list === undefined && /^[[{&*!|>]/.test(value))
        return failed(`${at}: ${key} is not a plain value, a quoted value or a list`);
      fields.set(key, list ?? scalar(value));
      continue;
    }
    const itemLine = ITEM_LINE.exec(line);
    const current = key === undefined ? undefined : fields.get(key);
    if (!itemLine || key === undefined || current === undefined)
      return failed(`${at}: neither \`key: value\` nor a list item${key === undefined ? "" : ` of ${key}`}`);
    if (typeof current === "string") {
      if (current !== "") return failed(`${at}: ${key} has a value and list items`);
      fields.set(key, [scalar(itemLine[1] ?? "")]);
    } else current.push(scalar(itemLine[1] ?? ""));
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
