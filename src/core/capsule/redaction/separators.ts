/** What stands between a name and its value, and what it asks of the value. */
export interface Separator {
  /** Where the value begins. */
  end: number;
  /** Any value, one in quotes (or drawn), of a single word, one that is drawn, one whose digits are not at its end alone. */
  asks: "any" | "quoted" | "one-word" | "drawn" | "scattered";
  /** Whether name and value touch it: `pass=…`. */
  touches?: boolean;
  /** Whether it compares the name with something, as programs do with another name. */
  isComparison?: true;
  /** Whether it is the blank behind an option. */
  isOption?: boolean;
}

const BLANK = "[^\\S\\r\\n]";
const QUOTES = "(?:\\\\*[\"'`]|&(?:quot|apos|#3[49]);|%2[27]|\\\\u002[27]|[”’»›])";

/** Behind a name: the end of its quotes, its brackets and its emphasis. */
const CLOSED = new RegExp(`(?:${QUOTES})?\\]?(?:\\*{1,2}|__)?(?:</\\w{1,10}>)?`, "iy");

/** The type of a name, as languages write it; what it equals is a string. */
const TYPE =
  "(?:&(?:'\\w{1,16} )?(?:mut )?)?[A-Za-z_][\\w.]{0,40}(?:[<[][\\w ,.|<>[\\]]{0,40}[>\\]])?(?:\\[\\])?(?: ?\\| ?\\w{1,20}){0,3}";
const TYPED = new RegExp(
  `(?:\\[\\w{0,8}\\]|[?!]?[ \\t]?:[ \\t]?${TYPE}|[ \\t](?:string|\\[\\]byte))[ \\t]{0,8}:?=[ \\t]{0,8}(?=[\\w@$]{0,2}["'\`])`,
  "y",
);

const ASSIGNS = new RegExp(`${BLANK}*(?:=>|[?+.:]?={1,3}|:(?!:)|：|%3[ad]|<<<)`, "iy");
/** Between an operator and its value: the end of an emphasis, what YAML says of a value, a bracket around a string. */
const DECORATED = new RegExp(
  `(?:(?:\\*{1,2}|__)(?=${BLANK})|</\\w{1,10}>)?${BLANK}*(?:(?:&\\w{1,40}|!!?[a-z]{1,40})[ \\t]+(?![&|=?>]))?(?:\\((?=(["'\`])(?:(?!\\1)[^\\n]){1,1024}\\1\\)))?(?:(?:[bfru]{1,2}|u8|[@$])(?=["'\`]))?`,
  "iy",
);
const NEXT_LINE =
  /[ \t]*\\?\r?\n[ \t]*(?=[bfru]{0,2}\\*["'`](?!["'`]|[\w.$-]{1,80}["'`][ \t]*:))[bfru]{0,2}/iy;

/** What compares a name, or comes into its place, with a string. */
const ALTERNATIVE = /[ \t]{0,16}(?:!={1,2}|\|\|=?|\?\?=?|\bor\b)[ \t]{0,16}(?=["'`])/y;
/** The next argument of a call, behind one that is a name, and what stores a value under a name or falls back upon it. */
const ARGUMENT = /,[ \t]{0,16}(?=["'`])/y;
const STORES =
  /\b(?:define|set\w{0,24}|put\w{0,24}|add|append|header|env|getenv|get)\([ \t]{0,4}["'`][\w.-]{0,64}$/i;
/** The only argument of a call that sets a secret; the others ask for one by a name. */
const CALL = /\([ \t]?(?=["'`])/y;
const ASKS =
  /(?<![A-Za-z0-9_])(?:check|create|expect|fetch|find|generate|get|hash|load|make|parse|read|validate|verify)\w{0,64}$/i;

/** An option of a command, and a command that sets a name to what follows it. */
const OPTION = /(?:^|[\s"'`])--?[\w.-]{0,64}$/;
/** An option that takes no value: it says that a secret is asked for, or left out. */
const SWITCH = /--(?:no|ask|skip|show|hide)(?:-[\w-]{0,40})?-$/;
const SETS =
  /(?:^|[\s;&|])(?:(?:set|setenv|setx|ENV|(?:config|configure|config:set|env)[ \t]+(?:set|add))[ \t]+(?:-[A-Za-z-]{1,12}[ \t]+){0,3})[\w.:/-]{0,64}$/;
/** A macro stands for a number or an expression as often as for a string. */
const DEFINES = /#[ \t]?define[ \t]+[\w.-]{0,64}$/;
const GAP = /(?:[ \t]+\\\r?\n)?[ \t]+(?![-=:|&<>;\\])/y;

function past(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** What stands behind a name that begins (with its word) and ends at two indexes; nothing where no value follows. */
export function separatorAt(text: string, nameAt: number, nameEnd: number): Separator | undefined {
  const closed = past(CLOSED, text, nameEnd);
  const typed = past(TYPED, text, nameEnd);
  if (typed >= 0) return { end: past(DECORATED, text, typed), asks: "quoted" };
  const assigned = past(ASSIGNS, text, closed);
  if (assigned >= 0) {
    const isLookUp = /\]/.test(text.slice(nameEnd, closed));
    const broken = isLookUp ? -1 : past(NEXT_LINE, text, assigned);
    if (broken >= 0) return { end: broken, asks: "quoted" };
    const end = past(DECORATED, text, assigned);
    // Compared, behind a bracket, or added to something stands what a program works with: a string, or what it never is.
    const operator = text.slice(closed, assigned);
    if (/={2,3}$/.test(operator)) return { end, asks: "quoted", isComparison: true };
    if (/[+.]=$/.test(operator) || isLookUp) return { end, asks: "quoted" };
    return { end, asks: "any", touches: end === nameEnd + 1 && text.charAt(nameEnd) === "=" };
  }
  const isQuoted = closed > nameEnd && /["'`]$/.test(text.slice(nameEnd, closed));
  const alternative = isQuoted ? -1 : past(ALTERNATIVE, text, closed);
  if (alternative >= 0) {
    const compares = text.slice(closed, alternative).includes("=");
    return { end: alternative, asks: compares ? "drawn" : "one-word" };
  }
  const before = text.slice(Math.max(0, nameAt - 100), nameAt);
  const argument = past(ARGUMENT, text, closed);
  if (argument >= 0)
    return isQuoted ? { end: argument, asks: STORES.test(before) ? "one-word" : "scattered" } : undefined;
  const call = past(CALL, text, nameEnd);
  if (call >= 0) return ASKS.test(before) ? undefined : { end: call, asks: "drawn" };
  const gap = past(GAP, text, nameEnd);
  if (gap < 0) return undefined;
  const isOption = OPTION.test(before) && !SWITCH.test(before);
  if (DEFINES.test(before)) return { end: gap, asks: "quoted" };
  return isOption || SETS.test(before) ? { end: gap, asks: "any", isOption } : undefined;
}
