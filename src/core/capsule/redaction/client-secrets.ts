import { isPlaceholder, valueAt } from "./values.ts";
import type { Value } from "./values.ts";

/** A header whose value is a credential, with the quotes of its name and its value. */
const HEADER =
  /(\b(?:proxy-)?authorization["']?[ \t]{0,16}[:=][ \t]{0,16}(?:(?:[bfru]{1,2}|[@$])?["'`])?(?:(?:basic|bearer|token|digest|negotiate|apikey|ntlm|oauth|aws4-hmac-sha256)[ \t]+)?|\b(?:set-)?cookie:(?![ \t]{0,16}(?:\[(?!redacted:)|["'`\\]))[ \t]{0,16}|\b(?:set-)?cookie(?:\\{0,8}["'])?:[ \t]{0,16}\\{0,8}["'`](?=[\w.-]{1,64}=)|\bcookie[ \t]{0,16}=[ \t]{0,16}["'`](?=[\w.-]{1,64}=)|\bx-(?:api|auth|access|goog-api|amz-security)[-a-z]{0,16}(?:key|token):[ \t]{0,16})/gi;
/** To the end of its line or of the string that it stands in; what a parameter has in quotes belongs to it. */
const HEADER_VALUE = /(?:=\\{0,8}["'][^"'\n]{0,1024}["']|[^\\\n"'`]|\\+(?![\\nrt"'`]))+/y;

/** `machine HOST login NAME password SECRET`, on one line or on several. */
const NETRC =
  /(\b(?:machine\s+\S{1,256}|default|login\s+(?!-)\S{1,256})\s+(?:(?:login|account)\s+(?!-)\S{1,256}\s+){0,2}password\s+)(?!(?:[-=:]{1,2}>?|\u2192|is|for|of)\s)\S+/gi;
/** `host:port:database:user:password`, a line of its own. */
const PGPASS =
  /^([ \t]*(?:[^\s:\\]|\\.){1,256}:(?:\d{1,5}|\*):(?:[^\s:\\]|\\.){1,256}:(?:[^\s:\\]|\\.){1,256}:)\S+/gm;

/** A signature or a key in the query of an address. */
const QUERY = /([?&](?:sig|signature|x-amz-signature|x-amz-security-token|code|key|auth)=)[^&\s"'`<>]{8,}/gi;
/** A number before a path is a port, and the at sign behind it belongs to the path: `:5173/@vite/client`. */
const URL_PASSWORD =
  /([A-Za-z][A-Za-z0-9+.-]{0,31}:\/\/(?!\[redacted:)[^\s/?#"'<>@:]{0,256}:)(?!\d{1,5}[/?#])[^\s"'<>]{1,256}@(?=[A-Za-z0-9[])/g;
const URL_TOKEN = /([A-Za-z][A-Za-z0-9+.-]{0,31}:\/\/)[^\s/?#"'<>@:]{16,256}@/g;

/** `curl -u name:secret`; two numbers are a user and a group. */
const USER_OPTION =
  /((?:^|\s)(?:-u|--user|--proxy-user)(?:[ \t]+|=)(?!\d{1,10}:\d{1,10}(?:\s|$))|\bcurl\b[^\n|;&]{0,200}?\s-[uU](?=\w))(["']?)([^\s:"']{1,256}:)/gm;
/** What commands call a password by a letter; a port of ssh is none. */
const LETTER_OPTION =
  /(\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;&]{0,200}?\s-p(?=[^\s-])|\bsshpass\s{1,8}-p[ \t]{0,8}|\b(?:docker|podman|buildah|helm registry|az|oc)\s{1,8}login\b[^\n|;&]{0,200}?\s-p[ \t]{1,8}|\bredis-cli\b[^\n|;&]{0,200}?\s-a[ \t]{1,8}|\b(?:sqlcmd|zip|unzip)\b[^\n|;&]{0,200}?\s-P[ \t]{0,8}|\bldap\w{1,16}\b[^\n|;&]{0,200}?\s-w[ \t]{1,8}|\bcurl\b[^\n|;&]{0,400}?\s(?:-b|--cookie)[ \t=]{1,8}(?=["']?[\w.-]{1,64}=))/g;

/** What is written to a command that reads a password. */
const PIPED =
  /(\becho[ \t]{1,8}(?:-[neE]{1,3}[ \t]{1,8})?)(?!["']?(?:\$|\[redacted:))("[^"\n]{1,256}"|'[^'\n]{1,256}'|[^\s"'|]{1,256})(?=[ \t]{0,8}\|[ \t]{0,8}(?:sudo\b[^\n|]{0,80}\s-[A-Za-z]{0,4}S\b|[^\n|]{0,200}(?:--password-stdin|--passphrase-fd[ =]0|-passin[ =]stdin)))/g;
const IDENTIFIED = /(\bidentified[ \t]{1,8}(?:with[ \t]{1,8}\S{1,64}[ \t]{1,8})?by[ \t]{1,8})(?=["'])/gi;
/** What a registry is told in the file of a client: a name and its password, as base64. */
const REGISTRY = /("auth"\s{0,8}:\s{0,8}")(?=[A-Za-z]{0,512}[0-9+/=])[A-Za-z0-9+/_-]{8,1024}={0,2}(?=")/g;

/** Puts a mark in the place of what follows a beginning, unless one stands there, or what only stands for a value. */
function redactBehind(text: string, pattern: RegExp, name: string, behind = ""): string {
  return text.replace(pattern, (found, start: string) =>
    isPlaceholder(found.slice(start.length, found.length - behind.length))
      ? found
      : `${start}[redacted:${name}]${behind}`,
  );
}

/** What stands behind a beginning: its quotes, if it has any, stay. */
type Behind = Pick<Value, "quote" | "closing" | "end">;

/** The same for a beginning alone: its value is read on from where that ends. */
function redactValues(
  text: string,
  pattern: RegExp,
  name: string,
  valueBehind: (at: number, found: RegExpExecArray) => Behind | undefined,
): string {
  const parts: string[] = [];
  let done = 0;
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const at = pattern.lastIndex;
    const value = valueBehind(at, found);
    if (value === undefined) continue;
    const { end, quote, closing } = value;
    pattern.lastIndex = end;
    if (isPlaceholder(text.slice(at + quote.length, end - closing.length))) continue;
    parts.push(text.slice(done, at), `${quote}[redacted:${name}]${closing}`);
    done = end;
  }
  parts.push(text.slice(done));
  return parts.join("");
}

/** What is said of a header, in words: `authorization: required for admins`. */
const SAID_WORDS = /^(?:[A-Za-z][a-z]{0,15}(?:-[a-z]{1,15})?[,;:.?!]?(?:[ \t]+|$)){1,40}$/;
const SENTENCE =
  /\b(?:for|by|the|in|of|to|is|are|not|and|or|with|on|via|when|only|required|optional|none|needed|enabled|disabled)\b/;

/** To the end of a header, or of the string that it stands in. */
function headerAt(text: string, at: number): Behind | undefined {
  HEADER_VALUE.lastIndex = at;
  const [value] = HEADER_VALUE.exec(text) ?? [];
  if (value === undefined || isPlaceholder(value.trim())) return undefined;
  if (value.length <= 400 && SAID_WORDS.test(value) && SENTENCE.test(value)) return undefined;
  return { quote: "", closing: "", end: at + value.length };
}

/** A program that takes a file or a module where others take a name and its password: `python -u main.py:app`. */
const RUNNER =
  /\b(?:python|pypy|ipython|uvicorn|gunicorn|hypercorn|daphne|node|deno|bun|perl|ruby)[\d.]{0,5}[ \t][^\n]{0,160}$/;

/** A password behind its name: to the quote that stands before the name, or to where a value ends. */
function passwordAt(text: string, at: number, open: string): Behind | undefined {
  if (open === "") return valueAt(text, at);
  const end = at + text.slice(at, at + 1024).search(new RegExp(`${open}|\\n|$`));
  return end === at ? undefined : { quote: "", closing: "", end };
}

/** Takes out what clients of services are given: in addresses, headers, commands and files of their own form. */
export function redactClientSecrets(text: string): string {
  let redacted = redactBehind(text, URL_PASSWORD, "url-password", "@");
  redacted = redactBehind(redacted, URL_TOKEN, "url-token", "@");
  redacted = redactBehind(redacted, QUERY, "query");
  redacted = redactBehind(redacted, NETRC, "netrc");
  redacted = redactBehind(redacted, PGPASS, "pgpass");
  redacted = redactBehind(redacted, REGISTRY, "registry");
  redacted = redactBehind(redacted, PIPED, "option");
  const headers = redacted;
  redacted = redactValues(headers, HEADER, "header", (at) => headerAt(headers, at));
  const users = redacted;
  redacted = redactValues(users, USER_OPTION, "user-option", (at, found) => {
    const runs = RUNNER.test(users.slice(Math.max(0, found.index - 200), found.index + 1));
    return runs && /^[A-Za-z_]+(?:\(\))?(?:\s|$)/.test(users.slice(at, at + 64))
      ? undefined
      : passwordAt(users, at, found[2] ?? "");
  });
  const letters = redacted;
  redacted = redactValues(letters, LETTER_OPTION, "option", (at) => valueAt(letters, at));
  const identified = redacted;
  return redactValues(identified, IDENTIFIED, "option", (at) => valueAt(identified, at));
}
