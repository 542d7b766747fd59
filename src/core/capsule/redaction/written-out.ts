/** Words for what a person types to get in: what follows may be several words, which no key of a service is. */
const PHRASE = "(?:pass(?:word|wd|phrase|code)?|pwd?)";
const NAME = "[A-Za-z0-9_.-]{0,40}";

/** A block of YAML under the name of a secret, or a value on a line of its own, further in than its name. */
const BLOCK = new RegExp(
  `^([ \\t]{0,64})((?:-[ \\t]+)?["']?${NAME}(?:${PHRASE}|secret|token|credential|[-_.]key)${NAME}["']?[ \\t]{0,16}:[ \\t]{0,16}(?:[|>][-+0-9]{0,2})?[ \\t]{0,16}\\n)((?:\\1[ \\t]+[^\\n]*(?:\\n|$)){1,64})`,
  "gim",
);
/** What stands further in may be a mapping or a list, which has names of its own. */
const MAPPING = /^[ \t]*(?:-[ \t]|["']?[\w.$/-]+["']?[ \t]*:(?:[ \t]|\n|$)|[#{[])/;

/** A line that is a name and several words: `password: correct horse battery staple`. */
const LINE = new RegExp(
  `^([ \\t]{0,64}(?:[-*][ \\t]{1,8})?(?:my[ \\t]|the[ \\t])?${PHRASE}[ \\t]{0,8}(?::|[ \\t]is:?)[ \\t]{1,16})(?!\\[redacted:)([a-z]{2,24}(?:[ -][a-z]{2,24}){2,9})[ \\t]{0,16}$`,
  "gim",
);
/** A sentence tells more of a password than the word for it. */
const SENTENCE =
  /\b(?:is|are|was|be|must|should|can|may|not|and|or|the|to|of|for|in|with|that|when|at|least|field|input|reset|hash|string)\b/i;

/** `pass: hunter2`, `pw=…`, `the password is: hunter2`. */
const SHORT =
  /(\b(?:pass|pw)[ \t]{0,4}[:=][ \t]{0,4}|\b(?:password|passphrase|passcode|secret|token)[ \t]{1,8}(?:is|was)[ \t]{0,8}:[ \t]{0,8})(?!\[redacted:|["'`]|(?:true|false|null|yes|no|ok|none|fail(?:ed)?)\b)[^\s"'`,;]{4,}/gi;

/** An element of XML, and an attribute beside the one that names it. */
const ELEMENT = new RegExp(
  `(<[\\w:.-]{0,40}(?:${PHRASE}|secret|token|apikey)[\\w:.-]{0,20}>)([^<>\\n]{1,1024})(?=<)`,
  "gi",
);
const ATTRIBUTE = new RegExp(
  `(\\b(?:key|name|id)="[\\w:. -]{0,40}(?:${PHRASE}|secret|token|apikey)[\\w:. -]{0,20}"\\s{1,16}value=")[^"\\n]{1,1024}`,
  "gi",
);

/** `mysql -phunter2` and `sshpass -p hunter2`; a port of ssh is no password. */
const GLUED = /(\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;&]{0,200}?\s-p)(?!\[redacted:)[^\s-][^\s]*/g;
const SSHPASS = /(\bsshpass\s{1,8}-p[ \t]{0,8})(?!\[redacted:)\S+/g;

/** The private half of a key of PuTTY. */
const PUTTY = /(^Private-Lines:[ \t]{0,8}\d{1,4}\r?\n)(?:[A-Za-z0-9+/=]+(?:\r?\n|$)){1,64}/gm;

function redactBlock(found: string, indent: string, head: string, lines: string): string {
  const [first = ""] = lines.split("\n", 1);
  const isBlock = /[|>][-+0-9]{0,2}[ \t]{0,16}\n$/.test(head);
  if (first.includes("[redacted:") || (!isBlock && (MAPPING.test(first) || /\s/.test(first.trim()))))
    return found;
  const end = lines.endsWith("\n") ? "\n" : "";
  const blanks = /^[ \t]*/.exec(first)?.[0] ?? "";
  return `${indent}${head}${blanks}[redacted:assignment]${end}`;
}

/** Takes out secrets that are written out as people and files do: over several lines, in several words, in markup. */
export function redactWrittenOut(text: string): string {
  return text
    .replace(PUTTY, "$1[redacted:private-key]\n")
    .replace(BLOCK, redactBlock)
    .replace(LINE, (found, start: string, words: string) =>
      SENTENCE.test(words) ? found : `${start}[redacted:assignment]`,
    )
    .replace(ELEMENT, (found, start: string, value: string) =>
      value.startsWith("[redacted:") || value.trim() === "" ? found : `${start}[redacted:assignment]`,
    )
    .replace(ATTRIBUTE, "$1[redacted:assignment]")
    .replace(GLUED, "$1[redacted:option]")
    .replace(SSHPASS, "$1[redacted:option]")
    .replace(SHORT, "$1[redacted:said]");
}
