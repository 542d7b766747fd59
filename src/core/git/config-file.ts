/**
 * Git's configuration grammar, enough of it to read one file exactly as git's own set-up code does:
 * that code reads `core.bare`, `core.worktree` and `extensions.*` from the file alone, without includes.
 */

export interface ConfigEntry {
  /** `section.name` or `section.subsection.name`; section and name in lower case. */
  key: string;
  /** Null when the name stands alone, which means true. */
  value: string | null;
}

const SECTION = /^\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\\n]|\\[^\n])*)")?\s*\]/;
const NAME = /^([A-Za-z][A-Za-z0-9-]*)[ \t]*(=)?/;
const ESCAPES: Record<string, string> = { n: "\n", t: "\t", b: "\b", '"': '"', "\\": "\\" };

interface Scan {
  value: string;
  /** Characters taken, the end of the line included. */
  length: number;
}

function scanValue(text: string): Scan | undefined {
  let value = "";
  let kept = 0;
  let quoted = false;
  let at = 0;
  for (; at < text.length && (text[at] === " " || text[at] === "\t"); at += 1);
  for (; at < text.length; at += 1) {
    const character = text[at] as string;
    if (character === "\n") break;
    if (character === "\\") {
      at += 1;
      const next = text[at];
      if (next === "\n" || next === undefined) continue;
      const escaped = ESCAPES[next];
      if (escaped === undefined) return undefined;
      value += escaped;
      kept = value.length;
    } else if (character === '"') {
      quoted = !quoted;
      kept = value.length;
    } else if (!quoted && (character === "#" || character === ";")) {
      const end = text.indexOf("\n", at);
      at = end === -1 ? text.length : end;
      break;
    } else {
      value += character;
      if (quoted || (character !== " " && character !== "\t")) kept = value.length;
    }
  }
  return quoted ? undefined : { value: value.slice(0, kept), length: at };
}

/** Parses one configuration file; undefined when git would call it a bad config. Order is kept. */
export function parseConfig(source: string): ConfigEntry[] | undefined {
  const entries: ConfigEntry[] = [];
  let rest = source.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  let section: string | undefined;
  for (;;) {
    rest = rest.replace(/^(?:\s+|[#;][^\n]*)+/, "");
    if (rest === "") return entries;
    const header = SECTION.exec(rest);
    if (header) {
      const subsection = header[2]?.replaceAll(/\\(.)/g, "$1");
      const name = (header[1] as string).toLowerCase();
      section = subsection === undefined ? name : `${name}.${subsection}`;
      rest = rest.slice(header[0].length);
      continue;
    }
    const name = NAME.exec(rest);
    if (!name) return undefined;
    const own = (name[1] as string).toLowerCase();
    const key = section === undefined ? own : `${section}.${own}`;
    rest = rest.slice(name[0].length);
    if (name[2] === undefined) {
      if (!/^[ \t]*(?:\n|$)/.test(rest)) return undefined;
      entries.push({ key, value: null });
      continue;
    }
    const scan = scanValue(rest);
    if (!scan) return undefined;
    entries.push({ key, value: scan.value });
    rest = rest.slice(scan.length);
  }
}

/** The last value of `key`, as git resolves a single-valued setting; undefined when it is not set. */
export function lastValue(entries: readonly ConfigEntry[], key: string): string | null | undefined {
  return entries.findLast((entry) => entry.key === key)?.value;
}

/** Reads git's spellings of a truth value; undefined for anything else. */
export function asBoolean(value: string | null): boolean | undefined {
  if (value === null) return true;
  const word = value.toLowerCase();
  if (["true", "yes", "on"].includes(word)) return true;
  if (["", "false", "no", "off"].includes(word)) return false;
  return /^[+-]?\d+[kmg]?$/.test(word) ? Number.parseInt(word, 10) !== 0 : undefined;
}
