import { decodeBytes } from "../block.ts";
import { SECTIONS } from "../framing.ts";
import type { Section } from "../framing.ts";
import type { SectionBullets } from "./bullets.ts";

/** Most lines that a section of an autosave keeps; older ones become a count. */
export const MOST_BULLETS = 200;

const FOLD = /^- \((\d{1,9}) older entries folded\)$/;
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
 * again (capsules.md 7.4).
 *
 * @param body Latin-1 characters that stand for bytes.
 * @param most how many lines a section may keep; undefined for a capsule that is not ours to shorten.
 */
export function mergeBullets(body: string, added: SectionBullets, most: number | undefined): MergedBody {
  const { lines, newline } = linesOf(body);
  const lost: MergedBody["lost"] = [];
  for (const section of SECTIONS) {
    const fresh = (added[section.name] ?? []).map(encoded);
    if (fresh.length === 0 && most === undefined) continue;
    const anchor = anchorLine(lines, section);
    if (anchor < 0) {
      if (fresh.length > 0) lost.push({ section: section.name, count: fresh.length });
      continue;
    }
    const end = sectionEnd(lines, anchor + 1);
    const held = lines.slice(anchor + 1, end);
    const known = new Set(held.map((line) => line.trimEnd()));
    const merged = [...fresh.filter((line) => !known.has(line) && known.add(line)), ...held];
    lines.splice(anchor + 1, end - anchor - 1, ...(most === undefined ? merged : folded(merged, most)));
  }
  return { body: lines.join(newline), lost };
}

/** A section's lines with the oldest bullets beyond `most` folded into one line that counts them. */
function folded(lines: readonly string[], most: number): string[] {
  const already = lines.reduce((sum, line) => sum + Number(FOLD.exec(line)?.[1] ?? 0), 0);
  const bullets = lines.filter((line) => line.startsWith("- ") && !FOLD.test(line));
  const gone = Math.max(0, bullets.length - most);
  if (gone === 0) return [...lines];
  const kept = new Set(bullets.slice(0, most));
  const rest = lines.filter((line) => !line.startsWith("- ") || kept.has(line));
  const last = rest.findLastIndex((line) => line.startsWith("- "));
  return rest.toSpliced(last + 1, 0, `- (${already + gone} older entries folded)`);
}
