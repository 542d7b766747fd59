import { isExpression, namesNoSecret } from "./code-values.ts";
import type { Assignment } from "./code-values.ts";

/** Words that say of a name that what it has is secret, wherever in the name they stand; compounds come whole. */
const SECRET_WORD = [
  "token",
  "secret",
  "passw(?:or)?d",
  "passphrase",
  "passcode",
  "credentials?",
  "(?:api|app|access|account|auth|client|deploy|encryption|license|master|private|secret|service|shared|signing|ssh|storage|subscription|webhook)[-_. ]?key",
  "(?<=[-_.])(?:pass|auth|key)",
  "\\bpass(?==)",
  "pwd",
].join("|");

/** Segments behind the word: `SECRET_KEY_BASE`, `TOKEN_PROD`, `password2`. */
const REST = "\\d{0,3}(?:[-_.]?[A-Za-z0-9]{1,24}){0,1}(?:[-_.][A-Za-z0-9]{1,24}){0,3}";

/** Between a name and its value, the quotes of both included. */
const BETWEEN = "(?:\\\\*[\"'`])?[ \\t]{0,16}(?:=>|:=|={1,3}|:)[ \\t]{0,16}";

const NAMED = new RegExp(`(${SECRET_WORD})(${REST})${BETWEEN}`, "gi");

/** A run of backslashes that begins no escape is read in one step: a text of nothing else costs no more than another. */
const PLAIN_BACKSLASHES = "\\\\+(?![\\\\nrt\"'`])";

/** A value in quotes up to the same quotes, else up to a blank, a quote or a line break that is written as one. */
const VALUE = new RegExp(
  `(?:(\\\\*["'\`])((?:(?!\\1)(?:\\\\.|[^\\n])){1,2048})(\\1)?|((?:[^\\\\\\s"'\`]|${PLAIN_BACKSLASHES}){1,2048}))`,
  "y",
);

/** The same as an option of a command, with a blank before its value. */
const OPTION = new RegExp(
  `((?:^|\\s)--?[A-Za-z-]{0,40}(?:${SECRET_WORD})[ \\t]+)(["'\`]?)([^\\s"'\`-][^\\s"'\`]*)`,
  "gim",
);

/** In a sentence, where a digit tells a secret from the next word. */
const SAID =
  /(\b(?:password|passwd|passphrase|passcode|secret|token|(?:api|access|secret) key)[ \t]+(?:is|was|are|to)[ \t]+["'`]?)(?=[^\s"'`]*\d)[^\s"'`]{4,}/gi;

/** A header whose value is a credential, to the end of its line or of the string that it stands in. */
const HEADER =
  /(\b(?:proxy-)?authorization["']?[ \t]{0,16}[:=][ \t]{0,16}["']?(?:(?:basic|bearer|token|digest|negotiate|apikey|ntlm|aws4-hmac-sha256)[ \t]+)?|\b(?:set-)?cookie:[ \t]{0,16}|\bx-(?:api|auth|access|goog-api|amz-security)[-a-z]{0,16}(?:key|token):[ \t]{0,16})((?:[^\\\n"'`]|\\+(?![\\nrt"'`]))+)/gi;

/** `machine HOST login NAME password SECRET`, on one line or on several. */
const NETRC =
  /(\b(?:machine\s+\S{1,256}|default|login\s+\S{1,256})\s+(?:(?:login|account)\s+\S{1,256}\s+){0,2}password\s+)\S+/gi;
/** `host:port:database:user:password`, a line of its own. */
const PGPASS =
  /^([ \t]*(?:[^\s:\\]|\\.){1,256}:(?:\d{1,5}|\*):(?:[^\s:\\]|\\.){1,256}:(?:[^\s:\\]|\\.){1,256}:)\S+/gm;
/** `curl -u name:secret`; two numbers are a user and a group. */
const USER_OPTION =
  /((?:^|\s)(?:-u|--user|--proxy-user)[ \t=]+(?!\d{1,10}:\d{1,10}(?:\s|$))["']?[^\s:"']{1,256}:)[^\s"']+/gm;
/** A signature or a key in the query of an address. */
const QUERY = /([?&](?:sig|signature|x-amz-signature|x-amz-security-token|code|key|auth)=)[^&\s"'`<>]{8,}/gi;
/** A number before a path is a port, and the at sign behind it belongs to the path: `:5173/@vite/client`. */
const URL_PASSWORD =
  /([A-Za-z][A-Za-z0-9+.-]{0,31}:\/\/[^\s/?#"'<>@:]{0,256}:)(?!\d{1,5}[/?#])[^\s"'<>]{1,256}@(?=[A-Za-z0-9[])/g;
const URL_TOKEN = /([A-Za-z][A-Za-z0-9+.-]{0,31}:\/\/)[^\s/?#"'<>@:]{16,256}@/g;

/** What a name of a secret has in a type, an example or a template: no secret. */
const NO_SECRET =
  /^(?:\[redacted:[a-z-]+\][^A-Za-z0-9]*|\$\{?[A-Z_][A-Z0-9_]*\}?|\$\{\{.*|<[^>]*>|\*+|[.]{2,}|process[.]env\b.*|(?:string|number|boolean|any|unknown|null|undefined|true|false|none|include|omit|same-origin|str|int|bool|bytes|required|optional)\b[^A-Za-z0-9]*)$/i;

/** Whether a word goes on where it seemed to end: `tokenizer`, `secretary`, `passwords`; `tokenValue` does not. */
function goesOn(word: string, rest: string): boolean {
  if (!/^[A-Za-z]/.test(rest)) return false;
  return /[a-z]$/.test(word) === /^[a-z]/.test(rest);
}

/** Nothing but a mark, and what ends a clause. */
const MARK = /^\[redacted:[a-z-]+\][^A-Za-z0-9]*$/;

/** What stands behind a name; nothing where no value begins. */
interface Value {
  quote: string;
  content: string;
  closed: boolean;
  end: number;
}

function valueAt(text: string, at: number): Value | undefined {
  VALUE.lastIndex = at;
  const match = VALUE.exec(text);
  if (match === null) return undefined;
  const [, quote = "", quoted, closing, bare] = match;
  return { quote, content: quoted ?? bare ?? "", closed: closing !== undefined, end: VALUE.lastIndex };
}

function isSecret(assignment: Assignment, { quote, content, closed }: Value): boolean {
  if (NO_SECRET.test(content)) return false;
  const { word } = assignment;
  // `max_token: 4096` counts, `sort_key: id` names a column, and `PWD=/home/me` is where a shell stands.
  if (/^token$/i.test(word) && /^\d{1,6}[^A-Za-z0-9]*$/.test(content)) return false;
  if (/^key$/i.test(word) && content.length < 8) return false;
  if (/^pwd$/i.test(word) && /^[/~.]/.test(content)) return false;
  if (quote === "") return !isExpression(assignment, content);
  // What seemed to begin a value may have ended what the name stands in: `input("Password: ")`.
  return closed || !/^[\s)\]},;]/.test(content);
}

function redactAssigned(text: string): string {
  const parts: string[] = [];
  let done = 0;
  NAMED.lastIndex = 0;
  for (let named = NAMED.exec(text); named !== null; named = NAMED.exec(text)) {
    const [found, word = "", rest = ""] = named;
    const assignment = { text, nameAt: named.index, valueAt: NAMED.lastIndex, word, rest };
    if (goesOn(word, rest) || namesNoSecret(assignment)) continue;
    const value = valueAt(text, named.index + found.length);
    // What is no secret is read on from its beginning: another name may stand in it.
    if (value === undefined || !isSecret(assignment, value)) continue;
    const { quote, closed, end } = value;
    parts.push(
      text.slice(done, named.index + found.length),
      `${quote}[redacted:assignment]${closed ? quote : ""}`,
    );
    done = end;
    NAMED.lastIndex = end;
  }
  parts.push(text.slice(done));
  return parts.join("");
}

/** Puts a mark in the place of what follows a beginning, unless one stands there. */
function redactBehind(text: string, pattern: RegExp, name: string, behind = ""): string {
  return text.replace(pattern, (found, start: string) =>
    MARK.test(found.slice(start.length)) ? found : `${start}[redacted:${name}]${behind}`,
  );
}

/** Takes out what is known for a secret by what stands before it: its name, a header, an option, the form of a file. */
export function redactNamedSecrets(text: string): string {
  let redacted = redactBehind(text, URL_PASSWORD, "url-password", "@");
  redacted = redactBehind(redacted, URL_TOKEN, "url-token", "@");
  redacted = redactBehind(redacted, QUERY, "query");
  redacted = redactBehind(redacted, HEADER, "header");
  redacted = redactBehind(redacted, NETRC, "netrc");
  redacted = redactBehind(redacted, PGPASS, "pgpass");
  redacted = redactBehind(redacted, USER_OPTION, "user-option");
  redacted = redactAssigned(redacted);
  redacted = redacted.replace(OPTION, (found, start: string, quote: string, value: string) =>
    NO_SECRET.test(value) ? found : `${start}${quote}[redacted:option]`,
  );
  return redactBehind(redacted, SAID, "said");
}

/** Whether a key of a structure says that its value is a secret. */
export function namesSecret(key: string): boolean {
  return redactAssigned(`${key}="a-value-0"`) !== `${key}="a-value-0"`;
}
