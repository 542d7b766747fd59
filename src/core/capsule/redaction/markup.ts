import { namesSecret } from "./named-secrets.ts";
import { isNameOfSecret, NAME_WORD } from "./secret-words.ts";
import { isNoSecret, looksDrawn, quoteAt, valueAt } from "./values.ts";

const MARK = "[redacted:assignment]";
const HAS_WORD = new RegExp(NAME_WORD, "i");

/** What begins an element, with its attributes. */
const TAG = /<([A-Za-z][\w:.-]{0,60})((?:\s[^<>]{0,1000})?)>/g;
/** What names an element, or what is typed into it, and what it then has. */
const NAMING = /\b(?:key|name|id|type|property)\s{0,4}=\s{0,4}(["'])([\w:. -]{1,100})\1/gi;
const HAD = /(\b(?:value|default|content)\s{0,4}=\s{0,4})(["'])((?:(?!\2)[^<>]){1,1000})\2/gi;
/** What an element holds, up to its end or another. */
const HELD =
  /(\s{0,64}(?:<(?:value|string)>\s{0,64})?)(<!\[CDATA\[[^\]]{1,4096}\]\]>|[^<>]{1,4096}?)(?=\s{0,64}<\/)/y;
/** An element beside one that holds a name: `<key>Password</key><string>…</string>`. */
const BESIDE = /<\/\w{1,16}>\s{0,64}<(?:string|data|dd|td|value|span|code)\b[^<>]{0,200}>(?:<(?:code|b)>)?/y;
const LABEL = /\s{0,16}([\w:. -]{1,60}?):?\s{0,16}(?=<)/y;

const isSecretName = (name: string): boolean => HAS_WORD.test(name) && namesSecret(name.trim());

/** Redacts what a sticky pattern finds: its second group, where that is a value at all. */
function heldAt(text: string, at: number, asksDrawn: boolean): { from: number; end: number } | undefined {
  HELD.lastIndex = at;
  const [, before = "", value = ""] = HELD.exec(text) ?? [];
  if (value.trim() === "" || value.startsWith("[redacted:")) return undefined;
  if (isNoSecret(value) && !value.startsWith("<![CDATA[")) return undefined;
  if (asksDrawn && (/\s/.test(value) || isNameOfSecret(value))) return undefined;
  return { from: at + before.length, end: at + before.length + value.length };
}

/** Where in the text behind a tag a secret stands. */
function heldBy(text: string, at: number, name: string, namedBy: readonly string[]) {
  if (isSecretName(name)) return heldAt(text, at, false);
  if (namedBy.some(isSecretName)) return heldAt(text, at, true);
  LABEL.lastIndex = at;
  const label = LABEL.exec(text);
  if (label === null || !isSecretName(label[1] ?? "")) return undefined;
  BESIDE.lastIndex = at + label[0].length;
  return BESIDE.test(text) ? heldAt(text, BESIDE.lastIndex, true) : undefined;
}

function redactTags(text: string): string {
  const parts: string[] = [];
  let done = 0;
  TAG.lastIndex = 0;
  for (let tag = TAG.exec(text); tag !== null; tag = TAG.exec(text)) {
    const { index, 0: found, 1: name = "", 2: attributes = "" } = tag;
    if (index < done) continue;
    const namedBy = [...attributes.matchAll(NAMING)].map((naming) => naming[2] ?? "");
    if (namedBy.some(isSecretName)) {
      const told = found.replace(HAD, (had, start: string, quote: string, value: string) =>
        value.startsWith("[redacted:") ? had : `${start}${quote}${MARK}${quote}`,
      );
      parts.push(text.slice(done, index), told);
      done = index + found.length;
    }
    const held = heldBy(text, TAG.lastIndex, name, namedBy);
    if (held === undefined) continue;
    parts.push(text.slice(done, held.from), MARK);
    done = held.end;
  }
  parts.push(text.slice(done));
  return parts.join("");
}

/** Two entries of a structure, of which one names what the other has. */
const NAME_ENTRY = new RegExp(
  `(?:["']|\\b)(?:name|key|id)["']?[ \\t]{0,8}[:=][ \\t]{0,8}["']?([\\w.-]{0,60}${NAME_WORD}[\\w.-]{0,60})["']?(?=[\\s,;])`,
  "gi",
);
const VALUE_ENTRY = /(?:[^{}<>\n]|\n[ \t]{0,64}(?![ \t-])){0,200}?\bvalue["']?[ \t]{0,8}[:=][ \t]{0,8}/iy;

function redactEntries(text: string): string {
  const parts: string[] = [];
  let done = 0;
  NAME_ENTRY.lastIndex = 0;
  for (let entry = NAME_ENTRY.exec(text); entry !== null; entry = NAME_ENTRY.exec(text)) {
    VALUE_ENTRY.lastIndex = NAME_ENTRY.lastIndex;
    if (!namesSecret(entry[1] ?? "") || !VALUE_ENTRY.test(text)) continue;
    const from = VALUE_ENTRY.lastIndex;
    const value = valueAt(text, from);
    if (value === undefined || isNoSecret(value.content)) continue;
    if (quoteAt(text, from) === undefined && /^[{[]/.test(value.content)) continue;
    parts.push(text.slice(done, from), `${value.quote}${MARK}${value.closing}`);
    done = value.end;
    NAME_ENTRY.lastIndex = done;
  }
  parts.push(text.slice(done));
  return parts.join("");
}

/** A row of a table, of which a cell names what the next one has. */
const CELLS = new RegExp(
  `(\\|[ \\t]{0,64}[\`*_]{0,2}([\\w.-]{0,60}${NAME_WORD}[\\w.-]{0,60})[\`*_]{0,2}[ \\t]{0,64}\\|[ \\t]{0,64}[\`*]{0,2})([^|\\s\`*]{6,1024})`,
  "gi",
);

/** Takes out secrets of markup: of elements, of their attributes, of what is set beside a name in a table or a list. */
export function redactMarkup(text: string): string {
  return redactEntries(redactTags(text)).replace(CELLS, (found, start: string, name: string, value: string) =>
    looksDrawn(value) && namesSecret(name.replaceAll(/^_+|_+$/g, "")) ? `${start}${MARK}` : found,
  );
}
