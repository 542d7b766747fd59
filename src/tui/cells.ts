import stringWidth from "string-width";

/**
 * Text measured in terminal cells. Ink lays out with the same `string-width`, so that padding done
 * here and columns computed there cannot disagree.
 */

/** Characters that are one cell each and combine with nothing: most text, and all that we draw. */
const SINGLE_CELLS =
  /^[\x20-\x7e\u00a1-\u00a8\u00aa-\u00ac\u00af-\u02ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u2190-\u21ff\u2400-\u2426\u2500-\u25a9\u25b8\u25c9-\u25d3\u25e6\u2713\u2715\u2717]*$/;

let segmenter: Intl.Segmenter | undefined;

/** The grapheme clusters of a text, in order. */
export function graphemesOf(text: string): string[] {
  if (SINGLE_CELLS.test(text)) return text.split("");
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), (part) => part.segment);
}

/** The width of a text in cells. */
export function widthOf(text: string): number {
  return SINGLE_CELLS.test(text) ? text.length : stringWidth(text);
}

/** The longest head of whole graphemes that fits into `width` cells. */
function headOf(text: string, width: number): { head: string; width: number } {
  let head = "";
  let used = 0;
  for (const grapheme of graphemesOf(text)) {
    const cells = widthOf(grapheme);
    if (used + cells > width) break;
    head += grapheme;
    used += cells;
  }
  return { head, width: used };
}

/** Cuts a text to at most `width` cells; the last one is `ellipsis` where something was cut. */
export function clipCells(text: string, width: number, ellipsis = "…"): string {
  if (width <= 0) return "";
  if (widthOf(text) <= width) return text;
  return headOf(text, width - widthOf(ellipsis)).head + ellipsis;
}

/** Cuts a text in its middle: both ends of a path or an id tell more than its head alone. */
export function clipMiddle(text: string, width: number, ellipsis = "…"): string {
  if (widthOf(text) <= width) return text;
  if (width <= 4) return clipCells(text, width, ellipsis);
  const tailWidth = Math.floor((width - 1) / 2);
  const tail: string[] = [];
  let used = 0;
  for (const grapheme of graphemesOf(text).toReversed()) {
    const cells = widthOf(grapheme);
    if (used + cells > tailWidth) break;
    tail.unshift(grapheme);
    used += cells;
  }
  return headOf(text, width - used - 1).head + ellipsis + tail.join("");
}

/** Makes a text exactly `width` cells wide: clipped with an ellipsis, or padded with blanks. */
export function fitCells(text: string, width: number, align: "left" | "right" = "left"): string {
  const clipped = clipCells(text, width);
  const blanks = " ".repeat(Math.max(0, width - widthOf(clipped)));
  return align === "left" ? clipped + blanks : blanks + clipped;
}

/** Breaks a line into pieces of at most `width` cells, never inside a grapheme. An empty line stays one piece. */
export function wrapCells(text: string, width: number): string[] {
  if (width <= 0) return [];
  if (widthOf(text) <= width) return [text];
  const pieces: string[] = [];
  let piece = "";
  let used = 0;
  for (const grapheme of graphemesOf(text)) {
    const cells = widthOf(grapheme);
    if (used + cells > width) {
      const { head, rest } = breakAtBlank(piece, grapheme);
      pieces.push(head);
      piece = rest;
      used = widthOf(rest);
      // The blank at which a line is broken belongs to neither piece.
      if (grapheme === " " && piece === "") continue;
    }
    // A cluster wider than the whole line cannot be shown.
    piece += cells > width ? "…" : grapheme;
    used += Math.min(cells, width);
  }
  pieces.push(piece);
  return pieces;
}

/** Prefers to break at a blank, or behind a slash, when one stands in the second half of the piece. */
function breakAtBlank(piece: string, next: string): { head: string; rest: string } {
  const blank = next === " " ? piece.length : piece.lastIndexOf(" ");
  const slash = piece.lastIndexOf("/");
  const end = Math.max(blank, slash + 1);
  if (end <= piece.length / 2) return { head: piece, rest: "" };
  return { head: piece.slice(0, end).trimEnd(), rest: piece.slice(end).trimStart() };
}
