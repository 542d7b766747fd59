import type { Reading } from "../reading.ts";
import { textLines } from "./facts.ts";
import type { Line } from "./line.ts";

const wrapped = new WeakMap<Reading, { width: number; lines: readonly Line[] }>();

/** A text in lines of at most `width` cells, made once for each text and width. */
export function readingLines(reading: Reading, width: number): readonly Line[] {
  const known = wrapped.get(reading);
  if (known?.width === width) return known.lines;
  const lines = textLines(reading.text, width);
  wrapped.set(reading, { width, lines });
  return lines;
}
