import { stripVTControlCharacters } from "node:util";
import { widthOf } from "../cells.ts";

interface Piece {
  x: number;
  width: number;
  text: string;
}

type Transformer = (line: string, index: number) => string;

/**
 * Stands in the bundle for the canvas on which Ink composes a frame. That one takes every text apart into its
 * cells, to let one be drawn over another; the console's rows are whole and lie beside each other, so that a
 * line of the frame is the rows on it, one after the other. That is most of what a frame costs.
 */
export class WholeRows {
  readonly #height: number;
  readonly #lines: Piece[][];

  constructor({ height }: { width: number; height: number }) {
    this.#height = height;
    this.#lines = Array.from({ length: height }, () => []);
  }

  /** What a later text covers of an earlier one is not drawn: nothing of the console lies over another. */
  write(
    x: number,
    y: number,
    text: string,
    { transformers }: { transformers: readonly Transformer[] },
  ): void {
    for (const [index, line] of text.split("\n").entries()) {
      const pieces = this.#lines[y + index];
      if (pieces === undefined) continue;
      const width = widthOf(stripVTControlCharacters(line));
      const drawn = transformers.reduce((before, transform) => transform(before, index), line);
      const beside = pieces.filter((piece) => piece.x + piece.width <= x || piece.x >= x + width);
      beside.push({ x, width, text: drawn });
      this.#lines[y + index] = beside;
    }
  }

  clip(): void {
    // A row is as wide as its place.
  }

  unclip(): void {
    // See above.
  }

  get(): { output: string; height: number } {
    const lines = this.#lines.map((pieces) => {
      let line = "";
      let column = 0;
      for (const { x, width, text } of pieces.toSorted((one, other) => one.x - other.x)) {
        line += " ".repeat(Math.max(0, x - column)) + text;
        column = x + width;
      }
      return line.trimEnd();
    });
    return { output: lines.join("\n"), height: this.#height };
  }
}
