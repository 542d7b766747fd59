/** A value behind a name; the quotes stay when it goes. */
export interface Value {
  quote: string;
  content: string;
  closing: string;
  end: number;
}

/** A quote, as it is or as a text within another has it: escaped, as an entity, in an address, as a writer sets it. */
const QUOTE = /\\*["'`]|&(?:quot|apos|#3[49]);|%2[27]|\\u002[27]|[\u201c\u201e\u00ab\u2018\u201a\u2039]/iy;
const PARTNERS: Readonly<Record<string, string>> = {
  "“": "”",
  "„": "”“",
  "«": "»",
  "‘": "’",
  "‚": "’‘",
  "‹": "›",
};

/** Longer ones are texts, and what is behind them is looked at for itself. */
const LONGEST = 4096;
const LONGEST_BLOCK = 16_384;
const MOST_LINES = 64;

/** What a value over several lines is followed by; a quote in a sentence is not. */
const ENDED = /[ \t]*(?:[,;)\]}+.>/]|\r?\n|$)/y;
/** What follows a quote that ended something: `input("Password: ")`. */
const CONTINUED = /^[\s)\]},;]/;

function test(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/**
 * Whether a quote ends the value that another began, both counted in the backslashes before them: within a string of a
 * string all of them double, and an odd one of its own belongs to the value.
 */
function closes(backslashes: number, opening: number): boolean {
  const own = (backslashes - opening) / (opening + 1);
  return own % 2 === 0;
}

/** The index of what ends a quoted value, and how long that is; none within reach. */
function findClosing(text: string, from: number, quote: string): { at: number; length: number } | undefined {
  const mark = quote.at(-1) ?? "";
  const limit = text.slice(from, from + LONGEST);
  if (!/["'`]/.test(mark)) {
    const partners = PARTNERS[quote] ?? quote;
    const ends = PARTNERS[quote] === undefined ? [partners] : [...partners];
    const found = ends
      .map((end) => ({ at: limit.indexOf(end), length: end.length }))
      .filter(({ at }) => at >= 0);
    const first = found.toSorted((left, right) => left.at - right.at)[0];
    return first === undefined ? undefined : { at: from + first.at, length: first.length };
  }
  const opening = quote.length - 1;
  for (let at = limit.indexOf(mark); at >= 0; at = limit.indexOf(mark, at + 1)) {
    let begin = at;
    while (limit[begin - 1] === "\\") begin -= 1;
    // With fewer backslashes it ends what the value stands in.
    if (at - begin < opening) return undefined;
    if (closes(at - begin, opening)) return { at: from + at - opening, length: quote.length };
  }
  return undefined;
}

function isTold(text: string, content: string, end: number): boolean {
  const [first = "", ...others] = content.split("\n");
  if (others.length > MOST_LINES || CONTINUED.test(first.trimStart())) return false;
  if (first.trim() === "" && /\s/.test(content.trim())) return false;
  return content.trim() !== "" && test(ENDED, text, end);
}

/** The rest of a line, or of what is within reach. */
function lineAt(text: string, at: number): string {
  const reach = text.slice(at, at + LONGEST);
  return reach.slice(0, reach.search(/\n|$/));
}

/** A value between quotes that stand three times; cut off before its end it is at least a line. */
function blockAt(text: string, at: number, quote: string): Value | undefined {
  const from = at + quote.length;
  const length = text.slice(from, from + LONGEST_BLOCK).indexOf(quote);
  if (length > 0) {
    const end = from + length + quote.length;
    return { quote, content: text.slice(from, from + length), closing: quote, end };
  }
  const begin = from + text.slice(from, from + LONGEST).search(/\S|$/);
  const content = lineAt(text, begin);
  if (length === 0 || content === "") return undefined;
  return { quote, content, closing: "", end: begin + content.length };
}

/** A value in quotes, to the same quotes; or to the end of its line where they are missing. */
function quotedAt(text: string, at: number, quote: string): Value | undefined {
  const from = at + quote.length;
  const triple = quote.repeat(3);
  if (text.startsWith(triple, at)) return blockAt(text, at, triple);
  const found = findClosing(text, from, quote);
  if (found !== undefined) {
    const content = text.slice(from, found.at);
    const end = found.at + found.length;
    if (content === "") return undefined;
    if (!content.includes("\n") || isTold(text, content, end))
      return { quote, content, closing: text.slice(found.at, end), end };
  }
  const line = lineAt(text, from);
  // What begins a value at the end of a line, or ended what the name stands in, has no value behind it.
  if (line === "" || CONTINUED.test(line)) return undefined;
  return { quote, content: line, closing: "", end: from + line.length };
}

/** A run of backslashes that begins no escape is read in one step: a text of nothing else costs no more than another. */
const PLAIN_BACKSLASHES = "\\\\+(?![\\\\nrt\"'`])";
/** To a blank, a quote or a line break that is written as one; a blank with a backslash belongs to it. */
const BARE = new RegExp(`(?:[^\\\\\\s"'\`]|\\\\ (?=\\S)|${PLAIN_BACKSLASHES}){1,2048}`, "y");
/** A quote within a value, as a shell allows it. */
const QUOTED_PART = /"[^"\n]{1,1024}"|'[^'\n]{1,1024}'|`[^`\n]{1,1024}`/y;

/** The index behind the parts of a value that are set in quotes of their own: `a"b c"'d'`, `it's`. */
function behindParts(text: string, from: number): number {
  let end = from;
  while (/["'`]/.test(text.charAt(end)) && /[A-Za-z0-9]/.test(text.charAt(end + 1))) {
    QUOTED_PART.lastIndex = end;
    end = QUOTED_PART.test(text) ? QUOTED_PART.lastIndex : end + 1;
    BARE.lastIndex = end;
    if (BARE.test(text)) end = BARE.lastIndex;
  }
  return end;
}

/** A further string of the same value: `"a" + "b"`, or one that touches it. */
const JOINED = /\s{0,64}[+.]\s{0,64}(?=["'`])|(?=["'`][A-Za-z0-9])/y;

/** The quotes that stand at an index, if any. */
export function quoteAt(text: string, at: number): string | undefined {
  QUOTE.lastIndex = at;
  return QUOTE.exec(text)?.[0];
}

/** What stands at an index without quotes, to where it could be a word of a program; nothing where it is in quotes. */
export function wordAt(text: string, at: number): string {
  BARE.lastIndex = at;
  return BARE.exec(text)?.[0] ?? "";
}

/** The value that stands at an index; nothing where none begins. */
export function valueAt(text: string, at: number): Value | undefined {
  const quote = quoteAt(text, at);
  if (quote === undefined) {
    const word = wordAt(text, at);
    if (word === "") return undefined;
    const end = behindParts(text, at + word.length);
    return { quote: "", content: text.slice(at, end), closing: "", end };
  }
  const value = quotedAt(text, at, quote);
  if (value === undefined || value.closing === "") return value;
  let { end } = value;
  while (test(JOINED, text, end)) {
    const next = JOINED.lastIndex;
    const further = quoteAt(text, next);
    const joined = further === undefined ? undefined : quotedAt(text, next, further);
    if (joined === undefined || joined.closing === "") break;
    ({ end } = joined);
  }
  return { ...value, content: text.slice(at + value.quote.length, end - value.closing.length), end };
}

/** What a template has in the place of a value, and whatever else only stands for one. */
const PLACEHOLDER =
  /^(?:\[redacted:[a-z-]+\][^A-Za-z0-9]*|\$\{?[A-Z_][A-Z0-9_]*\}?|\$\{[A-Z_$][\w.$?!()]*\}|\$\{\{.*|\{\{(?![^{}]*["'][^"'{}]*\d)[^{}]*\}\}|<%=?[ \t]*[\w.@()]+[ \t]*%>|%\(\w+\)s|#?\{[A-Z_][A-Z_.()]*\}|<[^>]*>|\*+|[.]{2,})[),;]*$/i;

export const isPlaceholder = (content: string): boolean => PLACEHOLDER.test(content);

/** What a name of a secret has in a type or an example: no secret. */
const NO_SECRET =
  /^(?:process[.]env\b.*|(?:string|number|boolean|any|unknown|null|undefined|true|false|none|include|omit|same-origin|str|int|bool|bytes|required|optional)\b[^A-Za-z0-9]*)$/i;

export const isNoSecret = (content: string): boolean => isPlaceholder(content) || NO_SECRET.test(content);

/** What has letters and digits, and is a name all the same: of an algorithm, a type, a rule, a place. */
const KNOWN =
  /^(?:(?:sha|md|utf|base|oauth|argon|aes|rsa|ed|hs|rs|es|ps|int|uint|v)[-_]?\d.*|[a-z_]+:[\d,]+|\w+\(\d+\)|[.~]?\/.*|\d+(?:[.:]\d+)*[a-z]{1,3}|[a-z-]+[.][a-z]+:\d+.*|https?:.*|\[.*)$/i;

/** Whether a text is one that nobody says or names a thing by: letters with digits among them, in one piece. */
export function looksDrawn(content: string): boolean {
  if (content.length < 6 || /\s/.test(content) || KNOWN.test(content)) return false;
  return /[A-Za-z]/.test(content) && /\d/.test(content);
}
