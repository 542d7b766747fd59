import { graphemesOf, widthOf } from "../cells.ts";
import { show } from "./line.ts";

/** One row of a text on the screen: the part of the text that it shows, by index. */
export interface TextRow {
  start: number;
  end: number;
}

/** A text as the rows of a field. */
export interface TextLayout {
  rows: readonly TextRow[];
  /** The cells of the part of a row, from its start to an index. */
  cellsTo: (row: TextRow, index: number) => number;
  /** The index in a row that is nearest to a number of cells. */
  indexAt: (row: TextRow, cells: number) => number;
}

/** How a tab is shown: as layout, not as a symbol. */
export const TAB = "    ";

/** A key changes one line of a text: what is known of the others is kept. */
const MOST_KEPT = 4000;

function remembering<Value>(make: (key: string) => Value): (key: string) => Value {
  const kept = new Map<string, Value>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    if (kept.size >= MOST_KEPT) kept.clear();
    const value = make(key);
    kept.set(key, value);
    return value;
  };
}

/** What a person sees of a piece of a text that is being written. */
export const drawnText: (text: string) => string = remembering((text) =>
  graphemesOf(text)
    .map((grapheme) => (grapheme === "\t" ? TAB : show(grapheme)))
    .join(""),
);

interface Piece {
  index: number;
  length: number;
  cells: number;
  blank: boolean;
}

const PLAIN = /^[\x20-\x7e]*$/;

function piecesOf(text: string, from: number): Piece[] {
  let index = from;
  const plain = PLAIN.test(text);
  return graphemesOf(text).map((grapheme) => {
    const cells = plain ? 1 : widthOf(drawnText(grapheme));
    const piece = { index, length: grapheme.length, cells, blank: grapheme === " " || grapheme === "\t" };
    index += grapheme.length;
    return piece;
  });
}

/** Breaks one line behind its last blank, and where there is none, wherever the row is full. */
function breakLine(pieces: readonly Piece[], start: number, end: number, width: number): TextRow[] {
  const rows: TextRow[] = [];
  let rowStart = start;
  let used = 0;
  let afterBlank: { index: number; used: number } | undefined;
  for (const { index, length, cells, blank } of pieces) {
    while (used + cells > width && index > rowStart) {
      const cut = afterBlank ?? { index, used };
      rows.push({ start: rowStart, end: cut.index });
      rowStart = cut.index;
      used -= cut.used;
      afterBlank = undefined;
    }
    used += cells;
    if (blank) afterBlank = { index: index + length, used };
  }
  rows.push({ start: rowStart, end });
  return rows;
}

const rowsOfLine = remembering((key) => {
  const space = key.indexOf(" ");
  const line = key.slice(space + 1);
  return breakLine(piecesOf(line, 0), 0, line.length, Number(key.slice(0, space)));
});

/** Lays out a text in rows of at most `width` cells; no grapheme is divided, and every index has its row. */
export function layoutText(text: string, width: number): TextLayout {
  const rows: TextRow[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    for (const row of rowsOfLine(`${Math.max(8, width)} ${line}`)) {
      rows.push({ start: start + row.start, end: start + row.end });
    }
    start += line.length + 1;
  }
  return {
    rows,
    cellsTo: (row, index) => widthOf(drawnText(text.slice(row.start, Math.min(index, row.end)))),
    indexAt: (row, cells) => {
      let used = 0;
      for (const piece of piecesOf(text.slice(row.start, row.end), row.start)) {
        if (used + piece.cells > cells) return piece.index;
        used += piece.cells;
      }
      return row.end;
    },
  };
}

/** The row that an index stands in: at a break, the one that begins there. */
export function rowOf(rows: readonly TextRow[], index: number): number {
  const found = rows.findLastIndex((row) => row.start <= index);
  return Math.max(0, found);
}
