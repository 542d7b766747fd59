import { fitCells, wrapCells } from "../cells.ts";
import { show } from "./line.ts";

const NARROWEST = 24;
const BETWEEN = " │ ";

/**
 * Sets texts beside each other, as many as have room, the others below; what is longer than its column goes on
 * in it.
 *
 * @param blocks each a list of paragraphs
 */
export function sideBySide(blocks: readonly (readonly string[])[], width: number): string[] {
  const most = Math.max(1, Math.floor((width + BETWEEN.length) / (NARROWEST + BETWEEN.length)));
  const together = Math.min(most, blocks.length);
  if (together === 0) return [];
  const cells = Math.floor((width - (together - 1) * BETWEEN.length) / together);
  const lines: string[] = [];
  for (let from = 0; from < blocks.length; from += together) {
    const columns = blocks
      .slice(from, from + together)
      .map((paragraphs) => paragraphs.flatMap((text) => wrapCells(show(text), cells)));
    const height = Math.max(...columns.map((column) => column.length));
    if (lines.length > 0) lines.push("");
    for (let row = 0; row < height; row++) {
      lines.push(
        columns
          .map((column) => fitCells(column[row] ?? "", cells))
          .join(BETWEEN)
          .trimEnd(),
      );
    }
  }
  return lines;
}
