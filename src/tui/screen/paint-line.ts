import { readLine } from "./styled-cells.ts";
import type { StyledCell } from "./styled-cells.ts";

const CSI = "\u001B[";
const RESET = `${CSI}0m`;

const BLANK: StyledCell = { text: " ", style: "", width: 1 };

function isBlank(cell: StyledCell): boolean {
  return cell.text === " " && cell.style === "";
}

/** One cell per column: the columns that a wide grapheme covers hold undefined. */
function columnsOf(cells: readonly StyledCell[], columns: number): (StyledCell | undefined)[] {
  const spread: (StyledCell | undefined)[] = [];
  for (const cell of cells) {
    if (spread.length + cell.width > columns) break;
    spread.push(cell);
    for (let covered = 1; covered < cell.width; covered++) spread.push(undefined);
  }
  while (spread.length < columns) spread.push(BLANK);
  return spread;
}

function sameCell(one: StyledCell | undefined, other: StyledCell | undefined): boolean {
  return one === other || (one !== undefined && one.text === other?.text && one.style === other.style);
}

function draw(cells: readonly (StyledCell | undefined)[]): string {
  let style = "";
  let text = "";
  for (const cell of cells) {
    if (cell === undefined) continue;
    if (cell.style !== style) text += cell.style === "" ? RESET : `${RESET}${CSI}${cell.style}m`;
    style = cell.style;
    text += cell.text;
  }
  return style === "" ? text : text + RESET;
}

/** The whole line, with the cursor set anew after each grapheme whose width is uncertain. */
function drawAnchored(cells: readonly StyledCell[], columns: number): string {
  let column = 0;
  let text = "";
  for (const cell of cells) {
    if (column + cell.width > columns) break;
    column += cell.width;
    text += draw([cell]);
    if (!/^[\x20-\x7e]$/.test(cell.text) && column < columns) text += `${CSI}${column + 1}G`;
  }
  return text;
}

/**
 * What to send so that a row that shows `before` shows `after`: from its first to its last changed
 * column. A row with a grapheme that terminals measure differently is written whole, with every column
 * named, so that borders stay in their place.
 *
 * @param row counted from zero
 */
export function paintLine(row: number, before: string, after: string, columns: number): string {
  if (before === after) return "";
  const next = readLine(after);
  const old = readLine(before);
  const to = (column: number): string => `${CSI}${row + 1};${column + 1}H`;
  if (old.risky || next.risky) {
    return `${to(0)}${CSI}2K${next.risky ? drawAnchored(next.cells, columns) : draw(next.cells)}`;
  }
  const was = columnsOf(old.cells, columns);
  const is = columnsOf(next.cells, columns);
  let first = is.findIndex((cell, column) => !sameCell(cell, was[column]));
  if (first < 0) return "";
  let end = is.findLastIndex((cell, column) => !sameCell(cell, was[column])) + 1;
  // A wide grapheme is written whole, and never from its second half.
  while (first > 0 && (is[first] === undefined || was[first] === undefined)) first--;
  while (end < columns && (is[end] === undefined || was[end] === undefined)) end++;
  const filled = is.findLastIndex((cell) => cell !== undefined && !isBlank(cell));
  const blankFrom = Math.max(first, filled + (is[filled]?.width ?? 1));
  // A blank end of the row is erased rather than written.
  if (end - blankFrom > 4) {
    return `${to(first)}${draw(is.slice(first, blankFrom))}${CSI}K`;
  }
  return to(first) + draw(is.slice(first, end));
}
