import { arrange } from "../model/columns.ts";
import type { Cell, Column } from "../model/columns.ts";
import { show, span } from "../model/line.ts";
import type { Line } from "../model/line.ts";
import { repositoryName, shortId } from "../model/names.ts";
import type { Row } from "../model/rows.ts";
import type { Drawing } from "./spec.ts";

const REPOSITORY_WIDTH = 12;

/** An id as a list shows it: its end on the screen, the whole of it in plain text. */
export function idText(id: string, { look }: Drawing): string {
  return look.plain ? show(id) : shortId(id);
}

/** The names of columns, above them. */
export function arrangeHead(columns: readonly Column[], names: readonly string[], drawing: Drawing): Line {
  const before = drawing.look.several ? " ".repeat(REPOSITORY_WIDTH + 1) : "";
  const cells = names.map((name) => span(name, "muted"));
  return [span(before), ...arrange(columns, cells, drawing.width - before.length)];
}

/** Lays out a row's cells, after its repository's name where there are several; plain text has no columns. */
export function arrangeRow(
  row: Row,
  columns: readonly Column[],
  cells: readonly Cell[],
  drawing: Drawing,
): Line {
  const { look, width } = drawing;
  const repository = look.several ? [span(repositoryName(row.root), "muted")] : [];
  if (look.plain) {
    const filled = [...repository, ...cells].filter((cell) => cell.text !== "");
    return filled.flatMap((cell, index): Line => [span(index === 0 ? "" : "  "), span(cell.text)]);
  }
  if (repository.length === 0) return arrange(columns, cells, width);
  const named = arrange([{ width: REPOSITORY_WIDTH, middle: true }], repository, REPOSITORY_WIDTH);
  return [...named, span(" "), ...arrange(columns, cells, width - REPOSITORY_WIDTH - 1)];
}
