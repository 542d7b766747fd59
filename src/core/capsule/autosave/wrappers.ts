/** Blanks, and what is drawn as nothing, as a class of a pattern; written out, since to look up a property costs milliseconds. */
export const UNSEEN = String.raw`[\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8]`;
const BLANK = new RegExp(UNSEEN);
const LINE_BREAK = /[\n\r\u2028\u2029]/;

/** A pattern of the openers and closers of tags; what stands between `<` and the name's end decides. */
export function tagPattern(names: string): RegExp {
  return new RegExp(`<(?:(${names})(?![\\w-])|/(${names})\\s*>)`, "gi");
}

interface Range {
  from: number;
  to: number;
}

/** Whether nothing but blanks stands between the beginning of a line and a place. */
function beginsLine(text: string, place: number): boolean {
  for (let at = place - 1; at >= 0; at -= 1) {
    const character = text.charAt(at);
    if (LINE_BREAK.test(character)) return true;
    if (!BLANK.test(character)) return false;
  }
  return true;
}

/** What comes behind a place: the end of the text, the end of its line, or more words. */
function behind(text: string, place: number): "end" | "line" | "words" {
  let line = false;
  for (let at = place; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (!BLANK.test(character)) return line ? "line" : "words";
    line ||= LINE_BREAK.test(character);
  }
  return "end";
}

/** What was found of one tag until now. */
interface Found {
  /** Where openers stand that no closer belongs to yet. */
  open: number[];
  /** Where the last whole block at the beginning of a line began. */
  block: number | undefined;
}

/**
 * The ranges that a harness put in. Every closer belongs to the last opener of its name, so that blocks may stand in
 * blocks. One pass, however many there are.
 */
function rangesOf(text: string, tags: RegExp, beganBefore: boolean): { ranges: Range[]; endless: boolean } {
  const ranges: Range[] = [];
  const names = new Map<string, Found>();
  for (const match of text.matchAll(tags)) {
    const name = (match[1] ?? match[2] ?? "").toLowerCase();
    const found = names.get(name) ?? { open: [], block: undefined };
    names.set(name, found);
    if (match[1] !== undefined) {
      found.open.push(match.index);
      continue;
    }
    const to = match.index + match[0].length;
    const from = found.open.pop();
    if (from !== undefined) {
      ranges.push({ from, to });
      if (found.open.length === 0 && beginsLine(text, from)) found.block = from;
      continue;
    }
    const rest = behind(text, to);
    if (rest === "words") continue;
    // The closer that was taken for the block's stood in a quotation inside of it.
    if (found.block !== undefined) ranges.push({ from: found.block, to });
    // The window into the conversation began in the middle of the block.
    else if (rest === "end" && beganBefore) ranges.push({ from: 0, to });
  }
  let endless = false;
  for (const { open } of names.values()) {
    const from = open.find((place) => beginsLine(text, place));
    if (from === undefined) continue;
    endless = true;
    ranges.push({ from, to: text.length });
  }
  return { ranges: ranges.toSorted((one, other) => one.from - other.from), endless };
}

export interface Unwrapped {
  text: string;
  /** A block had no closer, and took the rest of the text. */
  endless: boolean;
}

/**
 * A text without what a harness wrapped into it (capsules.md 7.3): every block from its opener to its own closer. An
 * opener without one takes the rest of the text where it begins a line; elsewhere a person quotes it, and it stays.
 *
 * @param tags a pattern of `tagPattern`.
 * @param beganBefore whether a closer at the end may belong to a block that began before the text.
 */
export function withoutWrappers(text: string, tags: RegExp, beganBefore: boolean): Unwrapped {
  const { ranges, endless } = rangesOf(text, tags, beganBefore);
  let bare = "";
  let place = 0;
  for (const { from, to } of ranges) {
    if (from > place) bare += `${text.slice(place, from)} `;
    place = Math.max(place, to);
  }
  return { text: bare + text.slice(place), endless };
}
