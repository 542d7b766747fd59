import { namesSecret } from "./named-secrets.ts";
import { SAID_WORD, SECRET_WORD, TYPED_WORD } from "./secret-words.ts";
import { looksDrawn } from "./values.ts";

const NAME = "[A-Za-z0-9_.-]{0,40}";

/** A block of YAML under the name of a secret, or a value on a line of its own, further in than its name. */
const BLOCK = new RegExp(
  `^([ \\t]{0,64})((?:-[ \\t]+)?["']?${NAME}${SECRET_WORD}${NAME}["']?[ \\t]{0,16}:[ \\t]{0,16}(?:![\\w-]{1,40}[ \\t]{0,8})?(?:[|>][-+0-9]{0,2})?[ \\t]{0,16}\\n)((?:\\1[ \\t]+[^\\n]*(?:\\n|$)){1,64})`,
  "gim",
);
/** What stands further in may be a mapping or a list, which has names of its own. */
const MAPPING = /^[ \t]*(?:-[ \t]|["']?[\w.$/-]+["']?[ \t]*:(?:[ \t]|\n|$)|[#{[])/;

/** A line that says what a password is in several words: `the password is: correct horse battery staple`. */
const LINE = new RegExp(
  `^([ \\t]{0,64}(?:[-*][ \\t]{1,8})?(?:my[ \\t]|the[ \\t])?${TYPED_WORD}[ \\t]{1,8}is:?[ \\t]{1,16})(?!\\[redacted:)([a-z]{2,24}(?:[ -][a-z]{2,24}){2,9})[ \\t]{0,16}$`,
  "gim",
);
/** A sentence tells more of a password than the word for it. */
const SENTENCE =
  /\b(?:is|are|was|be|must|should|can|may|not|and|or|the|to|of|for|in|with|that|when|at|least|field|input|reset|hash|string)\b/i;

/** `pass: hunter2`, `pw=…`, `the password is: hunter2`. */
const SHORT = new RegExp(
  `(\\b(?:pass|pw)[ \\t]{0,4}[:=][ \\t]{0,4}|\\b${SAID_WORD}[ \\t]{1,8}(?:is|was)[ \\t]{0,8}:[ \\t]{0,8})(?!\\[redacted:|["'\`]|(?:true|false|null|yes|no|ok|none|fail(?:ed)?)\\b)[^\\s"'\`,;]{4,}`,
  "gi",
);

/** Who or what a secret is for, and the words between it and the secret. */
const FOR = "(?:[ \\t]{1,8}(?:for|of)(?:[ \\t]{1,8}[\\w.@-]{1,32}){1,5}?|[ \\t]{0,8}\\([^()\\n]{1,40}\\))";
const IS =
  "[ \\t]{1,8}(?:is|was|are|to|will be)(?:[ \\t]{1,8}(?:now|currently|still|set to))?[ \\t]{0,4}:?[ \\t]{1,8}";
const ARROW = "[ \\t]{1,8}(?:[-=]>|→|[-–—])[ \\t]{1,8}";

/** In a sentence, where a digit tells a secret from the next word. */
const SAID = new RegExp(`(\\b${SAID_WORD}(?:${IS}|${ARROW})["'\`]?)(?=[^\\s"'\`]*\\d)[^\\s"'\`]{4,}`, "gi");
/** With more words between, where it must look as if somebody drew it. */
const SAID_FOR = new RegExp(
  `(\\b${SAID_WORD}${FOR}(?:${IS}|${ARROW}|[ \\t]{0,8}[:=][ \\t]{1,8})["'\`“‘]?)([^\\s"'\`“”‘’,;]{6,})`,
  "gi",
);
/** In quotes as a writer sets them: whatever stands in them. */
const SAID_QUOTED = new RegExp(
  `(\\b${SAID_WORD}(?:${FOR})?(?:${IS}|${ARROW}|[ \\t]{0,8}[:=][ \\t]{0,8}))(?!.\\[redacted:)(?:“[^“”\\n]{3,256}”|‘[^‘’\\n]{3,256}’|«[^«»\\n]{3,256}»|„[^„“”\\n]{3,256}[“”])`,
  "gi",
);
/** The word for what is typed and then that, without any word between. */
const SAID_BARE = new RegExp(
  `(\\b${TYPED_WORD}[ \\t]{1,8})(?:(["'\`])([A-Za-z0-9][^\\s"'\`]{3,256})\\2|([^\\s"'\`,;()]{6,256}))`,
  "gi",
);
/** A secret that is told before the word for it: `use … as the password`. */
const AFTERWARDS = new RegExp(
  `[ \\t]{1,8}(?:as|is|for)[ \\t]{1,8}(?:the|my|our|your|its|a)[ \\t]{1,8}(?:[\\w-]{1,20}[ \\t]{1,8}){0,2}?${SAID_WORD}\\b`,
  "gi",
);
/** A secret on a line of its own, under the line that announces it; a fence may stand between. */
const ANNOUNCED = new RegExp(
  `(\\b${SAID_WORD}(?:${FOR}|[ \\t]{1,8}(?:is|here|below|follows))?[ \\t]{0,8}:[ \\t*]{0,8}\\r?\\n(?:[ \\t]{0,16}(?:\`\`\`\\w{0,16})?[ \\t]{0,16}\\r?\\n){0,3}[ \\t]{0,16}["'\`]?)([^\\s"'\`]{6,1024})(?=["'\`]?[ \\t]{0,16}\\r?(?:\\n|$))`,
  "gi",
);

/** The private half of a key of PuTTY. */
const PUTTY = /(^Private-Lines:[ \t]{0,8}\d{1,4}\r?\n)(?:[A-Za-z0-9+/=]+(?:\r?\n|$)){1,64}/gm;

function redactBlock(found: string, indent: string, head: string, lines: string): string {
  const name = /^(?:-[ \t]+)?["']?([\w.-]+)/.exec(head)?.[1] ?? "";
  if (!namesSecret(name) && !namesSecret(name.replace(/s$/i, ""))) return found;
  const [first = ""] = lines.split("\n", 1);
  const isBlock = /[|>][-+0-9]{0,2}[ \t]{0,16}\n$/.test(head);
  if (first.includes("[redacted:") || (!isBlock && (MAPPING.test(first) || /\s/.test(first.trim()))))
    return found;
  const end = lines.endsWith("\n") ? "\n" : "";
  const blanks = /^[ \t]*/.exec(first)?.[0] ?? "";
  return `${indent}${head}${blanks}[redacted:assignment]${end}`;
}

function redactAfterwards(text: string): string {
  const parts: string[] = [];
  let done = 0;
  for (const { index } of text.matchAll(AFTERWARDS)) {
    const before = text.slice(Math.max(done, index - 256), index);
    const value = /[^\s"'`\u201c\u201d\u2018\u2019]+(?=["'`\u201d\u2019]?$)/.exec(before);
    if (value === null || !looksDrawn(value[0])) continue;
    const from = index - before.length + value.index;
    parts.push(text.slice(done, from), "[redacted:said]");
    done = from + value[0].length;
  }
  parts.push(text.slice(done));
  return parts.join("");
}

/** Takes out secrets that files have on lines of their own, under their name. */
export function redactBlocks(text: string): string {
  return text.replace(PUTTY, "$1[redacted:private-key]\n").replace(BLOCK, redactBlock);
}

/** Takes out secrets that a sentence or a line of a letter tells. */
export function redactSaid(text: string): string {
  const told = text
    .replace(LINE, (found, start: string, words: string) =>
      SENTENCE.test(words) ? found : `${start}[redacted:assignment]`,
    )
    .replace(SHORT, "$1[redacted:said]")
    .replace(SAID_QUOTED, "$1[redacted:said]")
    .replace(SAID, (found, start: string) =>
      found.startsWith("[redacted:", start.length) ? found : `${start}[redacted:said]`,
    )
    .replace(SAID_FOR, (found, start: string, value: string) =>
      looksDrawn(value) ? `${start}[redacted:said]` : found,
    )
    .replace(SAID_BARE, (found, start: string, quote: string | undefined, _quoted: string, bare: string) => {
      if (quote !== undefined) return `${start}${quote}[redacted:said]${quote}`;
      return looksDrawn(bare) ? `${start}[redacted:said]` : found;
    })
    .replace(ANNOUNCED, (found, start: string, value: string) =>
      looksDrawn(value) ? `${start}[redacted:said]` : found,
    );
  return redactAfterwards(told);
}
