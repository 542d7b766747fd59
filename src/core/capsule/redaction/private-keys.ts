/** Where a private key begins and ends, in the armour of PEM and of PGP; the name of the key may be anything. */
const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;

/** Between two lines of a key: blanks, or a line break as a string has it, whose quotes may end and begin again. */
const BREAK = /(?:\s|\\+[nrt]|["'`+,>|])+/y;
/** A line of a key, or what was cut off of one. */
const LINE = /[A-Za-z0-9+/=_-]+/y;
/** What stands between the beginning and the key itself: `Proc-Type: 4,ENCRYPTED`. */
const HEADER = /[A-Z][A-Za-z-]{0,40}: [^\n\\]*/y;
/** Shorter ones are words, unless they follow one that is not. */
const SHORTEST_LINE = 16;

export const REDACTED_KEY = "[redacted:private-key]";

/** Applies a sticky pattern; the index behind its match, or the one given where there is none. */
function past(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index;
  return pattern.test(text) ? pattern.lastIndex : index;
}

/** The index behind the lines of a key that has no end, from behind its beginning. */
function endOfTruncated(text: string, from: number): number {
  let end = from;
  let isKey = false;
  for (let index = from; ;) {
    const start = past(BREAK, text, index);
    const header = past(HEADER, text, start);
    if (!isKey && header > start) {
      end = header;
      index = header;
      continue;
    }
    const stop = past(LINE, text, start);
    const long = stop - start >= SHORTEST_LINE;
    // The last line of a key that was cut off may be short; it is alone on its line.
    const begun = isKey || /\n|\\[nr]/.test(text.slice(index, start));
    const alone = /^(?:[ \t]*(?:\r?\n|$)|\\+[nr]|\\*["'`])/.test(text.slice(stop, stop + 80));
    const rest = begun && stop > start && alone;
    if (!long && !rest) return end;
    isKey = true;
    end = stop;
    index = stop;
    if (!long) return end;
  }
}

/** The index at which the lines of a key begin that lost its beginning, back from its end. */
function startOfHeadless(text: string, to: number): number {
  let start = to;
  for (;;) {
    let stop = start;
    while (stop > 0 && /\s/.test(text[stop - 1] ?? "")) stop -= 1;
    while (stop > 1 && /[nrt]/.test(text[stop - 1] ?? "") && text[stop - 2] === "\\") {
      stop -= 2;
      while (text[stop - 1] === "\\") stop -= 1;
    }
    if (stop === start) return start;
    let from = stop;
    while (from > 0 && /[A-Za-z0-9+/=_-]/.test(text[from - 1] ?? "")) from -= 1;
    // What follows a backslash belongs to the line break.
    if (text[from - 1] === "\\") from += 1;
    const first = start === to;
    if (stop - from < (first ? 4 : SHORTEST_LINE)) return start;
    start = from;
  }
}

/**
 * Takes private keys out of a text, whole: with their lines broken as a file or as a string has them, also where the
 * end or the beginning was left behind.
 */
export function redactPrivateKeys(text: string): string {
  const ends = [...text.matchAll(END)].map(({ index, 0: found }) => ({
    index,
    behind: index + found.length,
  }));
  const parts: string[] = [];
  let done = 0;
  let nextEnd = 0;
  const keepUpTo = (limit: number): void => {
    // An end without a beginning: what stands before it is the rest of a key.
    for (let end = ends[nextEnd]; end !== undefined && end.index < limit; end = ends[(nextEnd += 1)]) {
      const start = Math.max(done, startOfHeadless(text, end.index));
      parts.push(text.slice(done, start), REDACTED_KEY);
      done = end.behind;
    }
    parts.push(text.slice(done, limit));
    done = limit;
  };
  BEGIN.lastIndex = 0;
  for (let begin = BEGIN.exec(text); begin !== null; begin = BEGIN.exec(text)) {
    const behind = BEGIN.lastIndex;
    if (begin.index < done) continue;
    keepUpTo(begin.index);
    const next = BEGIN.exec(text)?.index ?? text.length;
    const end = ends[nextEnd];
    const closed = end !== undefined && end.index < next;
    if (closed) nextEnd += 1;
    done = closed ? end.behind : endOfTruncated(text, behind);
    parts.push(REDACTED_KEY);
    BEGIN.lastIndex = done;
  }
  keepUpTo(text.length);
  return parts.join("");
}
