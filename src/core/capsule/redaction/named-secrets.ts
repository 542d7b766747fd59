import { isExpression, isNoToken, isOperand, namesNoSecret } from "./code-values.ts";
import type { Assignment } from "./code-values.ts";
import { isAlone, isNameOfSecret, isPart, isPartOfName, isTypedWord, SECRET_WORD } from "./secret-words.ts";
import { isNoSecret, looksDrawn, quoteAt, valueAt, wordAt } from "./values.ts";
import type { Value } from "./values.ts";
import { separatorAt } from "./separators.ts";
import type { Separator } from "./separators.ts";

const NAMED = new RegExp(SECRET_WORD, "gi");

/** The rest of a name behind its word: `SECRET_KEY_BASE`, `TOKEN_PROD`, `password2`. */
const REST = /(?:[A-Za-z0-9]|[-_.](?=[-_.]?[A-Za-z0-9])){0,160}/y;

/** Whether a word goes on where it seemed to end: `tokenizer`, `secretary`, `passwords`; `tokenValue` does not. */
function goesOn(word: string, rest: string): boolean {
  if (!/^[A-Za-z]/.test(rest)) return false;
  return /[a-z]$/.test(word) === /^[a-z]/.test(rest);
}

/** A part of a text that goes, and what is put into its place. */
interface Cut {
  from: number;
  end: number;
  mark: string;
}

const MARK = "[redacted:assignment]";
const OPTION_MARK = "[redacted:option]";

/** What stands between two strings of a program, or between the quotes of nothing. */
const BETWEEN_STRINGS = /^[\s)\]};:]*(?:[+,](?:.*[+,(])?\s*)?$/;

/** What a program or a sentence has between two words. */
const SIGNS = /^[-+*/=:|&?.,;]{1,2}$/;

/** What a test or a check comes to: `{ pass: "OK", fail: "…" }`. */
const RESULT = /^(?:.{1,4}|(?:fail|pass|skipp|check)ed|failure|green|error|always|never)$/i;

/** A word with its number, as names have it: `urllib2`. */
const NUMBERED = /^[A-Za-z.]+\d{1,2}$/;

/** Where a key lies, which is not the key. */
const PLACE = /^(?:~|[.]{1,2}|\/(?:home|Users|root|etc|opt|usr|var|run|tmp|mnt|srv))\//;

function isSecret(assignment: Assignment, { quote, content }: Value, separator: Separator): boolean {
  if (isNoSecret(content)) return false;
  const { word } = assignment;
  // `max_token: 4096` counts, `sort_key: id` names a column, and `PWD=/home/me` is where a shell stands.
  if (/^token$/i.test(word) && (/^\d{1,6}[^A-Za-z0-9]*$/.test(content) || isNoToken(content))) return false;
  if (/^(?:key|auth)$/i.test(word) && (content.length < 8 || PLACE.test(content))) return false;
  if (/^pwd$/i.test(word) && /^[/~.]/.test(content)) return false;
  if (SIGNS.test(content) || (quote !== "" && content.length === 1)) return false;
  if (isAlone(assignment.text, assignment.nameAt, word) && quote !== "" && RESULT.test(content)) return false;
  if (separator.asks !== "any" && separator.asks !== "quoted") {
    if (isNameOfSecret(content) || !/^\S{3,}$/.test(content)) return false;
    if (separator.asks === "scattered" && NUMBERED.test(content)) return false;
    return separator.asks === "one-word" || looksDrawn(content);
  }
  return quote === "" || !BETWEEN_STRINGS.test(content);
}

/** The strings of a line of a program; what stands before one as its last resort makes it a value. */
const STRING = /(["'`])((?:\\.|(?!\1)[^\\\n]){1,512})\1/g;
const LAST_RESORT = /(?:\|\||\?\?|\bor|\belse)[ \t]{0,8}$/;
const LONGEST_EXPRESSION = 400;

/** What of an expression is a secret all the same: `Buffer.from("…")`, `process.env.TOKEN || "…"`. */
function cutsOfExpression(text: string, from: number): Cut[] {
  const line = /^[^\n;]*/.exec(text.slice(from, from + LONGEST_EXPRESSION))?.[0] ?? "";
  const cuts: Cut[] = [];
  for (const { index, 0: found, 1: quote = "", 2: content = "" } of line.matchAll(STRING)) {
    const isLast = LAST_RESORT.test(line.slice(Math.max(0, index - 16), index)) && /^\S{3,}$/.test(content);
    if (isNoSecret(content) || !(isLast || looksDrawn(content)) || isNameOfSecret(content)) continue;
    cuts.push({ from: from + index, end: from + index + found.length, mark: `${quote}${MARK}${quote}` });
  }
  return cuts;
}

/** A command whose output is the value; only what it writes out itself is a secret. */
const SUBSTITUTION = /\$\([^()\n]{0,512}\)?/y;
const WRITES_OUT = /^\$\([ \t]*(?:echo|printf|base64|cat[ \t]*<<)/;

/** Several words to the end of a line; what reads as a sentence, a type or an expression is none. */
const WORDS =
  /(?![^\n]{0,512}\b(?:is|are|was|be|must|should|can|may|not|and|or|the|to|of|for|in|with|that|when|at|least|field|input|reset|hash|string)\b)[\w!@#$%^&*~?.-]{1,64}(?:[ \t]{1,4}[\w!@#$%^&*~?.-]{1,64}){1,23}(?=[ \t]{0,16}\r?(?:\n|$))/iy;
/** What stands before a name at the beginning of a line. */
const LINE_START = /(?:^|\n)[ \t]*(?:[-*>][ \t]+)?(?:(?:my|the|export)[ \t]+)?["']?[\w.-]{0,64}$/i;

/** The rest of a call that began with a word, and the string that comes into its place. */
const REST_OF_CALL = /[^()\n]{0,400}\)/y;
const RESORT = /[ \t]{0,8}(?:\|\||\?\?|\bor\b)[ \t]{0,8}(?=["'`])/y;

/** The index behind a word and what belongs to it. */
function behindWord(text: string, { content, end }: Value): number {
  if (/\([^)]*$/.test(content)) {
    REST_OF_CALL.lastIndex = end;
    if (REST_OF_CALL.test(text)) return REST_OF_CALL.lastIndex;
  }
  RESORT.lastIndex = end;
  return RESORT.test(text) ? (valueAt(text, RESORT.lastIndex)?.end ?? end) : end;
}

function cutsOfWord(assignment: Assignment, value: Value): Cut[] {
  const { text, nameAt, valueAt: from, word } = assignment;
  if (value.content.startsWith("$(")) {
    SUBSTITUTION.lastIndex = from;
    const [found = ""] = SUBSTITUTION.exec(text) ?? [];
    return WRITES_OUT.test(found) ? [{ from, end: from + found.length, mark: MARK }] : [];
  }
  const isApart = /[ \t]/.test(text.charAt(from - 1));
  if (isApart && isTypedWord(word) && LINE_START.test(text.slice(Math.max(0, nameAt - 100), nameAt))) {
    WORDS.lastIndex = from;
    const counts = isPart(word) && /^\d/.test(value.content);
    if (!counts && WORDS.test(text)) return [{ from, end: WORDS.lastIndex, mark: MARK }];
  }
  return [{ from, end: behindWord(text, value), mark: MARK }];
}

/** A list in which the values of a name stand. */
const LIST = /\[[^\][]{1,2000}\]/y;

/** What of the text behind a name and its separator goes. */
function cutsOf(assignment: Assignment, separator: Separator): Cut[] {
  const { text, valueAt: from, word } = assignment;
  const quote = quoteAt(text, from);
  if (quote === undefined) {
    const compared = wordAt(text, from);
    const isDrawn =
      separator.isComparison === true
        ? /\d/.test(compared) && !isOperand(assignment, compared)
        : separator.asks === "quoted" && looksDrawn(compared);
    if (separator.asks !== "any" && !isDrawn) return [];
    LIST.lastIndex = from;
    const list =
      text.charAt(from) === "[" && !text.startsWith("[redacted:", from) ? LIST.exec(text)?.[0] : undefined;
    if (list !== undefined) return cutsOfExpression(text.slice(0, from + list.length), from);
    const program = wordAt(text, from);
    if (program === "") return [];
    if (program.startsWith("process.env") || isExpression(assignment, program))
      return cutsOfExpression(text, from);
    if (isAlone(text, assignment.nameAt, word) && !separator.touches) return [];
  }
  const value = valueAt(text, from);
  if (value === undefined || !isSecret(assignment, value, separator)) return [];
  if (separator.isOption)
    return [{ from, end: value.end, mark: `${value.quote}${OPTION_MARK}${value.closing}` }];
  if (quote === undefined) return cutsOfWord(assignment, value);
  return [{ from, end: value.end, mark: `${value.quote}${MARK}${value.closing}` }];
}

/** Puts the marks into the places of what goes; of two that overlap the second adds to the first. */
function apply(text: string, cuts: readonly Cut[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { from, end, mark } of cuts.toSorted((left, right) => left.from - right.from)) {
    if (from >= done) parts.push(text.slice(done, from), mark);
    done = Math.max(done, end);
  }
  parts.push(text.slice(done));
  return parts.join("");
}

/** What a word assigns, where it is the name of a secret and something follows it. */
function assignmentAt(
  text: string,
  nameAt: number,
  word: string,
): (Assignment & { separator: Separator }) | undefined {
  const behind = nameAt + word.length;
  REST.lastIndex = behind;
  const rest = REST.exec(text)?.[0] ?? "";
  if (goesOn(word, rest)) return undefined;
  if (isPart(word) && !isPartOfName(text, nameAt, word) && !isAlone(text, nameAt, word)) return undefined;
  const separator = separatorAt(text, nameAt, behind + rest.length);
  if (separator === undefined) return undefined;
  const assignment = { text, nameAt, valueAt: separator.end, word, rest, separator };
  return namesNoSecret(assignment) ? undefined : assignment;
}

/** Takes out what a name of a secret is set before: in a program, a file, a header, an address, a command. */
export function redactNamedSecrets(text: string): string {
  const cuts: Cut[] = [];
  for (let next = 0; ;) {
    // A name within a value is judged by the same pattern: where it stands is kept here.
    NAMED.lastIndex = next;
    const named = NAMED.exec(text);
    if (named === null) break;
    const { index: nameAt, 0: word } = named;
    const behind = nameAt + word.length;
    next = behind;
    const assignment = assignmentAt(text, nameAt, word);
    if (assignment === undefined) continue;
    const found = cutsOf(assignment, assignment.separator);
    // What is no secret is read on from behind its word: another name may stand in it.
    if (found[0]?.from === assignment.valueAt) next = found[0].end;
    cuts.push(...found);
  }
  return apply(text, cuts);
}

/** Whether a key of a structure, or a text in quotes, says that what belongs to it is a secret. */
export function namesSecret(key: string): boolean {
  if (key.length > 160) return false;
  return redactNamedSecrets(`${key}="a-value-0"`) !== `${key}="a-value-0"`;
}
