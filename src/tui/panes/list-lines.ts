import { GLYPH } from "../glyphs.ts";
import { clipMiddle, fitCells } from "../cells.ts";
import { span } from "../model/line.ts";
import type { Line } from "../model/line.ts";
import { repositoryName } from "../model/names.ts";
import type { Row } from "../model/rows.ts";
import type { Drawing, PaneSpec } from "./spec.ts";

export interface Selection {
  /** The cursor of the keyboard stands on it. */
  selected: boolean;
  marked: boolean;
}

const REPOSITORY_WIDTH = 12;
/** A list as narrow as this has more use for its rows than for the whole name. */
const SHORT_NAME_BELOW = 50;
const SHORT_NAME_WIDTH = 6;

/** Cells for the name of a row's repository, the blank behind it counted; none where there is only one. */
function nameWidth({ look, width }: Drawing, { unnamed }: PaneSpec): number {
  if (!look.several || look.plain || unnamed === true) return 0;
  return (width < SHORT_NAME_BELOW ? SHORT_NAME_WIDTH : REPOSITORY_WIDTH) + 1;
}

/** The cursor, or a mark, and a blank at the end. */
const AROUND = 2;

function ownDrawing(drawing: Drawing, spec: PaneSpec): Drawing {
  return { ...drawing, width: drawing.width - AROUND - nameWidth(drawing, spec) };
}

/** The names of a list's columns, above its rows. */
export function headLine(spec: PaneSpec, drawing: Drawing): Line | undefined {
  const line = spec.head?.(ownDrawing(drawing, spec));
  return line && [span(" ".repeat(1 + nameWidth(drawing, spec))), ...line];
}

/** A row of a list with what stands before it: cursor or mark, and its repository where there are several. */
export function listLine(row: Row, spec: PaneSpec, { selected, marked }: Selection, drawing: Drawing): Line {
  const named = nameWidth(drawing, spec);
  const name = clipMiddle(repositoryName(row.root), named - 1);
  const line = [
    ...(named === 0 ? [] : [span(fitCells(name, named), "muted")]),
    ...spec.row(row, ownDrawing(drawing, spec)),
  ];
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
