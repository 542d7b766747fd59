import { flatten } from "./quote.ts";

/** One front matter value by the small reader's rules (capsules.md 1.3), which are not YAML's. */
export interface Scalar {
  /** The decoded value, on one line; empty when the key stands there without one. */
  text: string;
  /** The value as it stands in the file, without blanks around it and without a comment. */
  token: string;
  /** Where the token begins in the raw rest of the line, in UTF-16 units. */
  tokenStart: number;
  /** An inline comment stands behind the token. */
  commented: boolean;
  /** `null`, `~` or a block indicator without quotes: YAML's ways to say that there is no value. */
  nothing: boolean;
}

const NOTHING = /^(?:null|~|[|>][-+\d]{0,3})$/i;
const BREAKING = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/** Where an inline comment begins: the first `#` outside quotes that is first or follows white space; -1 for none. */
function commentStart(text: string): number {
  let quote = "";
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? "";
    if (quote !== "") {
      if (quote === '"' && character === "\\") index += 1;
      else if (character === quote) quote = "";
    } else if (character === '"' || character === "'") quote = character;
    else if (character === "#" && (index === 0 || /\s/.test(text[index - 1] ?? ""))) return index;
  }
  return -1;
}

function isQuoted(token: string, quote: string): boolean {
  return token.length > 1 && token.startsWith(quote) && token.endsWith(quote);
}

function decode(token: string): string {
  if (isQuoted(token, "'")) return token.slice(1, -1).replaceAll("''", "'");
  if (!isQuoted(token, '"')) return token;
  try {
    const value: unknown = JSON.parse(token);
    if (typeof value === "string") return value;
  } catch {
    // What JSON refuses stands raw between its quotes.
  }
  return token.slice(1, -1);
}

/** Visible ASCII without quotes and `#`: most values, and nothing in them to decode. */
const PLAIN = /^[ !$-&(-~]*$/;

/** Visible ASCII between double quotes, without an escape: what is quoted most often, and as it stands. */
const QUOTED = /^ *"[ !#-[\]-~]*" *$/;

/** Reads the rest of a line behind its key and colon. */
export function readScalar(rest: string): Scalar {
  if (PLAIN.test(rest)) {
    const text = rest.trim();
    const tokenStart = text === "" ? rest.length : rest.indexOf(text);
    return {
      text,
      token: text,
      tokenStart,
      commented: false,
      nothing: text.length < 5 && NOTHING.test(text),
    };
  }
  if (QUOTED.test(rest)) {
    const tokenStart = rest.indexOf('"');
    const token = rest.slice(tokenStart, rest.lastIndexOf('"') + 1);
    return { text: token.slice(1, -1), token, tokenStart, commented: false, nothing: false };
  }
  const text = rest.trim();
  const start = rest.length - rest.trimStart().length;
  const comment = text.includes("#") ? commentStart(text) : -1;
  const token = comment < 0 ? text : text.slice(0, comment).trimEnd();
  return {
    text: decode(token).replaceAll(BREAKING, " "),
    token,
    tokenStart: start,
    commented: comment >= 0,
    nothing: NOTHING.test(token),
  };
}

/** The items of an inline list; a comma divides, wherever it stands (capsules.md 1.3). */
function inlineItems(token: string): string[] {
  return token
    .slice(1, -1)
    .split(",")
    .map((item) => readScalar(item).text.trim())
    .filter((item) => item !== "");
}

const ITEM = /^[ \t]+-[ \t]+(.*)$/s;

/**
 * Reads a list: inline, a bare value as its only item, or the indented items on the lines below its key.
 *
 * @param lines the lines that follow the key's own.
 */
export function readList(rest: string, lines: readonly string[]): string[] {
  const { token, text, nothing } = readScalar(rest);
  if (token.startsWith("[") && token.endsWith("]")) return inlineItems(token);
  if (token !== "") return nothing ? [] : [flatten(text)];
  const items: string[] = [];
  for (const line of lines) {
    if (!/^[ \t]/.test(line)) break;
    const item = ITEM.exec(line)?.[1];
    if (item !== undefined) items.push(readScalar(item).text.trim());
  }
  return items;
}
