import { inert } from "../../core/text/inert.ts";
import { clipCells, widthOf } from "../cells.ts";

/** What a piece of text means; the theme turns it into a colour. */
export type Tone = "plain" | "accent" | "good" | "info" | "warn" | "bad" | "muted";

export interface Span {
  text: string;
  tone?: Tone;
  bold?: boolean;
}

/** One row of cells before it is drawn. */
export type Line = readonly Span[];

/**
 * Text from disk or an answer, as the console shows it. Format characters without a width of their own
 * are made visible too. A combining mark at the start would melt into the blank or border before it, so
 * it gets a base of its own.
 */
export function show(text: string): string {
  const safe = inert(text).replace(/\p{Cf}/gu, (mark) => `\\u{${mark.codePointAt(0)?.toString(16) ?? ""}}`);
  return /^\p{M}/u.test(safe) ? `◌${safe}` : safe;
}

export function span(text: string, tone?: Tone, bold?: boolean): Span {
  return { text, ...(tone === undefined ? {} : { tone }), ...(bold === undefined ? {} : { bold }) };
}

export function lineWidth(line: Line): number {
  return line.reduce((width, part) => width + widthOf(part.text), 0);
}

/** The line's text without its tones. */
export function textOf(line: Line): string {
  return line.map((part) => part.text).join("");
}

/**
 * Makes a line exactly `width` cells wide. The last gate before the terminal: whatever a caller forgot
 * to make safe becomes inert here.
 */
export function fitLine(line: Line, width: number): Line {
  const fitted: Span[] = [];
  let room = width;
  for (const [index, part] of line.entries()) {
    const safe = { ...part, text: inert(part.text) };
    const more = line.slice(index + 1).some((later) => later.text !== "");
    const cells = widthOf(safe.text);
    // A part that just fits is cut when others follow it: the ellipsis must say that they are missing.
    if (cells > room || (cells === room && more)) {
      const text = clipCells(more ? `${safe.text} ` : safe.text, room);
      fitted.push({ ...safe, text });
      room -= widthOf(text);
      break;
    }
    fitted.push(safe);
    room -= cells;
  }
  if (room > 0) fitted.push({ text: " ".repeat(room) });
  return fitted;
}

/** Two lines on one row: the left one gives way, with at least one blank between them. */
export function spread(left: Line, right: Line, width: number): Line {
  const rightWidth = lineWidth(right);
  if (rightWidth === 0) return fitLine(left, width);
  if (rightWidth >= width) return fitLine(right, width);
  return [...fitLine(left, width - rightWidth - 1), { text: " " }, ...right];
}

/** Joins lines with a separator between those that are not empty. */
export function joinLines(lines: readonly Line[], separator: Span): Line {
  const filled = lines.filter((line) => line.length > 0);
  return filled.flatMap((line, index) => (index === 0 ? line : [separator, ...line]));
}
