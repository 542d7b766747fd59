import { isTypedWord } from "./secret-words.ts";

/** What assigns a value: the name from its secret word on, and where both stand in their text. */
export interface Assignment {
  text: string;
  /** Where the secret word begins, and where the value does. */
  nameAt: number;
  valueAt: number;
  word: string;
  /** The rest of the name, behind the word. */
  rest: string;
}

/** Of a name that tells of a secret, and is none: how long it lives, where it lies, of which type it is. */
const ABOUT_A_SECRET =
  /^[-_.]?(?:type|count|limit|budget|usage|expiry|expires|ttl|length|size|name|field|file|path|url|uri|endpoint|ref|stdin|prompt|fd|methods?|schemes?|challenge|headers?)(?:[-_.]|$)/i;

/** `sort_key` and its like name a column or an entry. */
const PLAIN_KEY =
  /(?:cache|sort|object|partition|primary|foreign|public|unique|index|group|query|range)[-_.]$/i;

/** How long a token lives, and what a parameter has by itself. */
const LIFETIME = /^\d{1,6}[ ]?(?:ms|s|m|h|d|w|y|min|minutes?|hours?|days?)[^A-Za-z0-9]*$/i;
const DEFAULT = /^(?:default|nil)[),;]*$/;
/** A place in a list, counted with signs, or a part of it. */
const INDEX =
  /[A-Za-z_$]{1,40}(?:[?]?[.][A-Za-z_$]{1,40}){0,8}\[[ \t]?[A-Za-z_$][\w$.]{0,40}(?:[ \t]?[-+*:][ \t]?[\w$.]{1,40}){1,3}\](?=[),;\]}.\s]|$)/y;
/** A name that ends in a word for a secret, as programs write it: letters alone, in two styles. */
const NAMED_SO = /^(?:[a-z]+(?:[A-Z][a-z]+)*|[a-z]+(?:_[a-z]+)*_?|[A-Z]+(?:_[A-Z]+)*_?)$/;

/** A name that is a file of code, and a line of it. */
const SOURCE_FILE =
  /[.](?:[cm]?[jt]sx?|py|go|rs|java|kts?|rb|php|c|h|cc|cpp|hpp|cs|swift|scala|sh|sql|vue|svelte|md|json|ya?ml|toml|html?|css)$/i;
const LINE = /^:[ \t]?\d{1,6}(?![A-Za-z0-9])/;

/** A call or a look-up; nobody's secret has the form of both a name and its brackets, blanks set off. */
const CALL = /^[A-Za-z_$]{2,}(?:[?]?[.][A-Za-z_$]+)*[([](?:[\w$.,;()[\]{}]*[,;()[\]{}])?$/;
const REFERENCE =
  /^(?:this|self|config|options|opts|env|os|req|request|context|ctx|props|args|params|settings|secrets|import[.]meta)(?:[?]?[.][A-Za-z_$]+)+[),;\]}]*$/;
const MEMBER = /^[A-Za-z_$]+(?:[?]?[.][A-Za-z_$]+)+[),;]*$/;
const DECLARED = /\b(?:const|let|var)\s+[\w$]*$/;
/** The member of something, whose name may have digits; beyond this length somebody drew it. */
const COMPARED = /^[A-Za-z_$][\w$]{0,24}(?:[?]?[.][A-Za-z_$][\w$]{0,24}){1,6}[),;:]*$/;
const KEYWORD = /^(?:await|new|async|function|typeof|void)$/;
/** The beginning of a block, or the end of what the name stood in. */
const BRACKET = /^[[({|>)\]}]{1,2}[,;]?$/;
const SAME_NAME_END = /^(?:[.][A-Za-z_$]+)*[),;[\]{}]*$/;

/** Whether the name alone tells that no secret follows. */
export function namesNoSecret({ text, nameAt, valueAt, word, rest }: Assignment): boolean {
  if (ABOUT_A_SECRET.test(rest)) return true;
  if (word.toLowerCase() === "key") return PLAIN_KEY.test(text.slice(Math.max(0, nameAt - 12), nameAt));
  const behind = nameAt + word.length + rest.length;
  return SOURCE_FILE.test(rest) && LINE.test(text.slice(behind, valueAt + 16));
}

/** Whether a value of a token tells how long one lives, or that there is none. */
export const isNoToken = (value: string): boolean => LIFETIME.test(value) || DEFAULT.test(value);

/** Another name for the same: `token: cancellationToken`. What a person types may look so, unless a program goes on. */
function isNamedAlike({ word }: Assignment, value: string, behind: string): boolean {
  const [name = "", end = ""] = /^(\w+)([),;\]}]*)$/.exec(value)?.slice(1) ?? [];
  const kind = name.slice(-word.length);
  if (name.length <= word.length || kind.toLowerCase() !== word.toLowerCase() || !NAMED_SO.test(name))
    return false;
  const isPart = name.slice(0, -word.length).endsWith("_") || /^[A-Z][a-z]/.test(kind);
  return isPart && (!isTypedWord(word) || /[);\]}]/.test(end) || /^[ \t]*[)}]/.test(behind));
}

/** Whether a name is compared with a member, or with its own next: `token === user2.token`, `password == password2`. */
export function isOperand({ word, rest }: Assignment, value: string): boolean {
  const isNext = value.toLowerCase().startsWith(`${word}${rest}`.toLowerCase());
  return COMPARED.test(value) || (isNext && /^\d[),;:{]*$/.test(value.slice(word.length + rest.length)));
}

/** Whether a value without quotes is an expression of a program, and set off as programs are written. */
export function isExpression(assignment: Assignment, value: string): boolean {
  const { text, nameAt, valueAt, word, rest } = assignment;
  if (KEYWORD.test(value) || BRACKET.test(value)) return true;
  if (!/[ \t]/.test(text.charAt(valueAt - 1))) return false;
  if (CALL.test(value) || REFERENCE.test(value)) return true;
  INDEX.lastIndex = valueAt;
  if (INDEX.test(text)) return true;
  const end = valueAt + value.length;
  if (isNamedAlike(assignment, value, text.slice(end, end + 32))) return true;
  const [before = ""] = /[\w$]{0,60}$/.exec(text.slice(Math.max(0, nameAt - 60), nameAt)) ?? [];
  for (const name of [`${word}${rest}`, `${before}${word}${rest}`]) {
    const isSame = value.slice(0, name.length).toLowerCase() === name.toLowerCase();
    if (isSame && SAME_NAME_END.test(value.slice(name.length))) return true;
  }
  return MEMBER.test(value) && DECLARED.test(text.slice(Math.max(0, nameAt - 60), nameAt));
}
