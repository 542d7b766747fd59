import { GLYPH } from "../glyphs.ts";
import { span } from "../model/line.ts";
import type { Line } from "../model/line.ts";
import type { Row } from "../model/rows.ts";
import type { Drawing, PaneSpec } from "./spec.ts";

export interface Selection {
  /** The cursor of the keyboard stands on it. */
  selected: boolean;
  marked: boolean;
}

/** A row of a list with what stands before it. */
export function listLine(row: Row, spec: PaneSpec, { selected, marked }: Selection, drawing: Drawing): Line {
  const line = spec.row(row, { ...drawing, width: drawing.width - 2 });
  if (selected) return [span(GLYPH.cursor, "accent", true), ...line.map((part) => ({ ...part, bold: true }))];
  return [marked ? span(GLYPH.marked, "accent") : span(" "), ...line];
}

/** More lines than any screen has rows: beyond that, old ones only take room. */
const MOST_LINES = 1000;

/**
 * Makes a drawer that gives the same line again for the same row, so that moving the cursor draws two
 * rows and not the whole list.
 */
export function createLineDrawer(): typeof listLine {
  let surroundings: readonly unknown[] = [];
  const lines = new Map<string, { row: Row; line: Line }>();
  return (row, spec, selection, drawing) => {
    const { look, now, width, repositories } = drawing;
    const next = [spec, look, now, width, repositories];
    if (lines.size > MOST_LINES || next.some((part, index) => part !== surroundings[index])) lines.clear();
    surroundings = next;
    const key = `${Number(selection.selected)}${Number(selection.marked)}${row.id}`;
    const known = lines.get(key);
    if (known?.row === row) return known.line;
    const line = listLine(row, spec, selection, drawing);
    lines.set(key, { row, line });
    return line;
  };
}
