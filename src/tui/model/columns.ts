import { clipMiddle, fitCells, widthOf } from "../cells.ts";
import type { Line, Span } from "./line.ts";

/** A column of a list. Widths do not depend on the data: nothing shifts under the cursor. */
export interface Column {
  /** Cells; of a growing column, the fewest. */
  width: number;
  /** Takes a share of what is left. @default false */
  grow?: boolean;
  align?: "left" | "right";
  /** Shown in lists of at least so many cells. @default 0 */
  from?: number;
  /** Cut in the middle instead of at the end: paths and ids. @default false */
  middle?: boolean;
}

/** What stands in a column: a text, or the first of several that has room; cut as the column is, or as it says. */
export type Cell = Span & { shorter?: readonly string[]; middle?: boolean };

function textFor({ text, shorter = [] }: Cell, width: number): string {
  return [text, ...shorter].find((candidate) => widthOf(candidate) <= width) ?? shorter.at(-1) ?? text;
}

/** The room of the columns after one of which this row has nothing to say: that one may use it. */
function emptyAfter(
  index: number,
  columns: readonly Column[],
  shown: readonly boolean[],
  cells: readonly Cell[],
): { room: number; end: number } {
  let room = 0;
  let end = index + 1;
  for (; end < columns.length; end++) {
    if (shown[end] !== true) continue;
    if ((cells[end]?.text ?? "") !== "") break;
    room += (columns[end]?.width ?? 0) + 1;
  }
  return { room, end };
}

/** Lays the cells of one row into their columns; columns without room are left out. */
export function arrange(columns: readonly Column[], cells: readonly Cell[], width: number): Line {
  const shown = columns.map((column) => (column.from ?? 0) <= width);
  const visible = columns.filter((_, index) => shown[index]);
  const fixed = visible.reduce((sum, column) => sum + column.width, 0) + Math.max(0, visible.length - 1);
  const growing = visible.filter((column) => column.grow === true).length;
  const spare = Math.max(0, width - fixed);
  const share = growing === 0 ? 0 : Math.floor(spare / growing);
  const line: Span[] = [];
  let covered = 0;
  for (const [index, column] of columns.entries()) {
    if (shown[index] !== true || index < covered) continue;
    const cell: Cell = cells[index] ?? { text: "" };
    const after = emptyAfter(index, columns, shown, cells);
    const grown = column.grow === true && after.room > 0;
    if (grown) covered = after.end;
    const cellWidth = column.width + (column.grow === true ? share : 0) + (grown ? after.room : 0);
    const { shorter: _, middle = column.middle ?? false, ...part } = cell;
    const whole = textFor(cell, cellWidth);
    const text = middle ? clipMiddle(whole, cellWidth) : whole;
    if (line.length > 0) line.push({ text: " " });
    line.push({ ...part, text: fitCells(text, cellWidth, column.align) });
  }
  return line;
}
