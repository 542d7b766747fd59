import { decodeBytes } from "../block.ts";
import { SECTIONS } from "../framing.ts";
import type { Section } from "../framing.ts";
import type { SectionChanges } from "./bullets.ts";

/** Most lines that a section of an autosave keeps; older ones become a count. */
export const MOST_BULLETS = 200;

const FOLD = /^- \((\d{1,9}) older entries folded\)$/;
/** What bounds left out; older versions wrote one line of it for a stretch. */
const LEFT =
  /^- \((\d{1,9}) more (?:utterances|errors|files|uses of files|claims)(?: in this stretch)?, not kept\)$/;
const NOUNS: Partial<Record<Section["name"], string>> = {
  done: "utterances",
  errors: "errors",
  files: "uses of files",
  rows: "claims",
};
const LINE_END = /\r\n|\n/;

/** A body in lines of Latin-1, so that bytes which are no UTF-8 stay what they are. */
interface BodyLines {
  lines: string[];
  newline: string;
}

function linesOf(body: string): BodyLines {
  return { lines: body.split(LINE_END), newline: body.includes("\r\n") ? "\r\n" : "\n" };
}

/** The line of a section's anchor; anchors count at the start of a line alone, and in the body alone. */
function anchorLine(lines: readonly string[], { anchor }: Section): number {
  return lines.findIndex((line) => line.trimEnd() === anchor);
}

/** The line behind a section: the next heading of the second level, or the end. */
function sectionEnd(lines: readonly string[], from: number): number {
  const next = lines.findIndex((line, index) => index >= from && line.startsWith("## "));
  return next < 0 ? lines.length : next;
}

const encoded = (text: string): string => Buffer.from(text).toString("latin1");

/** The lines of one section that begin with a dash, decoded; empty where its anchor is missing. */
export function bulletsIn(body: string, name: Section["name"]): string[] {
  const { lines } = linesOf(body);
  const section = SECTIONS.find((candidate) => candidate.name === name);
  const anchor = section === undefined ? -1 : anchorLine(lines, section);
  if (anchor < 0) return [];
  const held = lines.slice(anchor + 1, sectionEnd(lines, anchor + 1));
  return held.filter((line) => line.startsWith("- ")).map(decodeBytes);
}

export interface MergedBody {
  body: string;
  /** Lines that had nowhere to go, since a hand took the anchor away. */
  lost: { section: Section["name"]; count: number }[];
}

/**
 * Puts new lines directly under their anchors, the newest on top; a line that its section has already is not put there
 * again (capsules.md 7.4). What is not kept is counted, in one line of the section.
 *
 * @param body Latin-1 characters that stand for bytes.
 * @param most how many lines a section may keep; undefined for a capsule that is not ours to shorten.
 */
export function mergeBullets(body: string, changes: SectionChanges, most: number | undefined): MergedBody {
  const { lines, newline } = linesOf(body);
  const lost: MergedBody["lost"] = [];
  for (const section of SECTIONS) {
    const { name } = section;
    const bullets = (changes.bullets[name] ?? []).map(encoded);
    const events = (changes.events[name] ?? []).map(encoded);
    const untrue = new Set((changes.untrue[name] ?? []).map(encoded));
    const left = changes.left[name] ?? 0;
    const count = bullets.length + events.length + left;
    if (count + untrue.size === 0 && most === undefined) continue;
    const anchor = anchorLine(lines, section);
    if (anchor < 0) {
      if (count > 0) lost.push({ section: name, count });
      continue;
    }
    const end = sectionEnd(lines, anchor + 1);
    const held = lines.slice(anchor + 1, end).filter((line) => !untrue.has(line.trimEnd()));
    const known = new Set(held.map((line) => line.trimEnd()));
    const isNew = (line: string): boolean => !known.has(line) && known.add(line) !== undefined;
    const fresh = bullets.filter(isNew);
    const happened = events.filter(isNew);
    const repeated = changes.again ? 0 : events.length - happened.length;
    const counted = withCount([...fresh, ...happened, ...held], name, left + repeated, changes.again);
    lines.splice(anchor + 1, end - anchor - 1, ...(most === undefined ? counted : folded(counted, most)));
  }
  return { body: lines.join(newline), lost };
}

const isBullet = (line: string): boolean => line.startsWith("- ");
const numberIn = (lines: readonly string[], pattern: RegExp): number =>
  lines.reduce((sum, line) => sum + Number(pattern.exec(line)?.[1] ?? 0), 0);

/** A section's lines with one behind its bullets. */
function behindBullets(lines: readonly string[], line: string): string[] {
  const last = lines.findLastIndex((other) => isBullet(other) && !FOLD.test(other));
  return lines.toSpliced(last + 1, 0, line);
}

/** A section's lines with one that counts everything that was not kept, until now and this time. */
function withCount(
  lines: readonly string[],
  name: Section["name"],
  left: number,
  again: boolean,
): readonly string[] {
  if (left === 0) return lines;
  const before = numberIn(lines, LEFT);
  const count = again ? Math.max(before, left) : before + left;
  const rest = lines.filter((line) => !LEFT.test(line));
  return behindBullets(rest, `- (${count} more ${NOUNS[name] ?? "lines"}, not kept)`);
}

/** A section's lines with the oldest bullets beyond `most` folded into one line that counts them. */
function folded(lines: readonly string[], most: number): readonly string[] {
  const counts = (line: string): boolean => FOLD.test(line) || LEFT.test(line);
  const gone = new Set(
    [...lines.keys()].filter((at) => isBullet(lines[at] ?? "") && !counts(lines[at] ?? "")).slice(most),
  );
  if (gone.size === 0) return lines;
  const folds = numberIn(lines, FOLD) + gone.size;
  const rest = lines.filter((line, at) => !gone.has(at) && !FOLD.test(line));
  return behindBullets(rest, `- (${folds} older entries folded)`);
}
