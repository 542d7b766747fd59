import { clipCells, widthOf } from "../cells.ts";
import { fitLine, span } from "./line.ts";
import type { Line, Span } from "./line.ts";

/** The border of a pane and what is written into it. */
export interface FrameText {
  title: string;
  counts: string;
  focused: boolean;
}

function border(text: string, focused: boolean): Span {
  return span(text, focused ? "accent" : "muted");
}

/** `┌ Episodes ─────────── 5 open ┐` */
export function topBorder({ title, counts, focused }: FrameText, width: number): Line {
  const name = clipCells(title, Math.max(0, width - 6));
  const room = width - widthOf(name) - 7;
  const shown = room >= 4 ? clipCells(counts, room) : "";
  const taken = 2 + widthOf(name) + 1 + (shown === "" ? 0 : widthOf(shown) + 2) + 1;
  const rule = "─".repeat(Math.max(0, width - taken));
  return [
    border("┌ ", focused),
    span(name, focused ? "accent" : "plain", true),
    border(` ${rule}`, focused),
    ...(shown === "" ? [] : [span(` ${shown} `, "plain")]),
    border("┐", focused),
  ];
}

/** `└─────┘`, with what does not fit above said in it. */
export function bottomBorder(note: string, focused: boolean, width: number): Line {
  const room = width - 6;
  const shown = note === "" || room < 4 ? "" : ` ${clipCells(note, room)} `;
  const rule = "─".repeat(Math.max(0, width - 3 - widthOf(shown)));
  return [border(`└${rule}`, focused), span(shown, "muted"), border("─┘", focused)];
}

/** A row between the borders. */
export function framed(line: Line, focused: boolean, width: number): Line {
  return [border("│", focused), ...fitLine(line, width - 2), border("│", focused)];
}
