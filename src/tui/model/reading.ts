import { inertLines } from "../../core/text/inert.ts";
import { wrapCells } from "../cells.ts";
import type { Reading } from "../mode.ts";
import { show, span } from "./line.ts";
import type { Line } from "./line.ts";

const wrapped = new WeakMap<Reading, { width: number; lines: readonly Line[] }>();

/** A text in lines of at most `width` cells. A tab is shown as blanks: it is layout here, not content. */
export function readingLines(reading: Reading, width: number): readonly Line[] {
  const known = wrapped.get(reading);
  if (known?.width === width) return known.lines;
  const lines = inertLines(reading.text.replaceAll("\t", "    ")).flatMap((line) =>
    wrapCells(show(line), width).map((piece): Line => [span(piece)]),
  );
  wrapped.set(reading, { width, lines });
  return lines;
}
