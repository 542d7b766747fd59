import { arrange } from "../model/columns.ts";
import type { Cell, Column } from "../model/columns.ts";
import { show, span } from "../model/line.ts";
import type { Line } from "../model/line.ts";
import { repositoryName, shortId } from "../model/names.ts";
import type { Row } from "../model/rows.ts";
import type { Drawing } from "./spec.ts";

/** An id as a list shows it: its end on the screen, the whole of it in plain text. */
export function idText(id: string, { look }: Drawing): string {
  return look.plain ? show(id) : shortId(id);
}

/** The names of columns, above them. */
export function arrangeHead(columns: readonly Column[], names: readonly string[], drawing: Drawing): Line {
  const cells = names.map((name) => span(name, "muted"));
  return arrange(columns, cells, drawing.width);
}

/** Lays out a row's cells. Plain text has no columns; its repository's name is a cell like the others. */
export function arrangeRow(
  row: Row,
  columns: readonly Column[],
  cells: readonly Cell[],
  drawing: Drawing,
): Line {
  const { look, width } = drawing;
  if (!look.plain) return arrange(columns, cells, width);
  const repository = look.several ? [span(repositoryName(row.root))] : [];
  const filled = [...repository, ...cells].filter((cell) => cell.text !== "");
  return filled.flatMap((cell, index): Line => [span(index === 0 ? "" : "  "), span(cell.text)]);
}
