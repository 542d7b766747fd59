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

function isNameCharacter(code: number): boolean {
  return isLetter(code) || (code >= 0x30 && code <= 0x39) || code === HYPHEN;
}

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

const HYPHEN = 0x2d;

/** `core` or `branch.main` of a plain section line; undefined for every other spelling. */
function plainSection(line: string): string | undefined {
  if (!line.endsWith("]")) return undefined;
  let end = 1;
  while (isNameCharacter(line.charCodeAt(end))) end += 1;
  const name = line.slice(1, end).toLowerCase();
  if (name === "") return undefined;
  if (end === line.length - 1) return name;
  const subsection = line.slice(end + 2, -2);
  const isQuoted = line.startsWith(' "', end) && line.endsWith('"]') && end + 4 <= line.length;
  return isQuoted && !subsection.includes('"') ? `${name}.${subsection}` : undefined;
}

/**
 * What git itself writes: sections and values on lines of their own, nothing escaped. Undefined for all else, which
 * says nothing of it. A hook meets no other file, and ends before the patterns of the whole grammar were compiled.
 */
function parsePlain(source: string): ConfigEntry[] | undefined {
  const entries: ConfigEntry[] = [];
  let section: string | undefined;
  for (const whole of source.split("\n")) {
    const line = whole.trim();
    if (line === "") continue;
    if (line.startsWith("[")) {
      section = plainSection(line);
      if (section === undefined) return undefined;
      continue;
    }
    let end = 0;
    while (isNameCharacter(line.charCodeAt(end))) end += 1;
    if (section === undefined || !isLetter(line.charCodeAt(0))) return undefined;
    const value = line.slice(end).trimStart();
    if (!value.startsWith("=") || value.includes('"')) return undefined;
    entries.push({
      key: `${section}.${line.slice(0, end).toLowerCase()}`,
      value: value.slice(1).trimStart(),
    });
  }
  return entries;
}

/** Printable ASCII, tabs and newlines, without a sign that could quote, escape or begin a comment. */
function looksPlain(source: string): boolean {
  for (let index = 0; index < source.length; index += 1) {
    const code = source.charCodeAt(index);
    const isBlank = code === 0x09 || code === 0x0a;
    if (!isBlank && (code < 0x20 || code > 0x7e)) return false;
  }
  return !source.includes("\\") && !source.includes("#") && !source.includes(";");
}

/** Parses one configuration file; undefined when git would call it a bad config. Order is kept. */
export function parseConfig(source: string): ConfigEntry[] | undefined {
  return (looksPlain(source) ? parsePlain(source) : undefined) ?? parseWhole(source);
}

function parseWhole(source: string): ConfigEntry[] | undefined {
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
