import { describe, expect, it } from "vitest";
import { WholeRows } from "../../src/tui/screen/whole-rows.ts";

/** Writes blanks that a transformer turns into a row, as the console's rows are written. */
function write(rows: WholeRows, x: number, y: number, text: string, width = text.length): void {
  rows.write(x, y, " ".repeat(width), { transformers: [() => text] });
}

describe("rows that lie beside each other", () => {
  it("are one line, in whatever order they were written, and blanks where there is none", () => {
    const rows = new WholeRows({ width: 20, height: 4 });
    write(rows, 10, 0, "\u001B[2m│ right\u001B[0m │", 9);
    write(rows, 0, 0, "│ left 世│", 10);
    write(rows, 3, 2, "alone");
    expect(rows.get()).toEqual({ output: "│ left 世│\u001B[2m│ right\u001B[0m │\n\n   alone\n", height: 4 });
  });

  it("take the place of what lay there before, and none outside of the frame", () => {
    const rows = new WholeRows({ width: 20, height: 2 });
    write(rows, 0, 0, "below");
    write(rows, 6, 0, "beside");
    write(rows, 2, 0, "above");
    rows.write(0, 1, "two\nlines", { transformers: [(line, index) => `${index}${line}`] });
    expect(rows.get().output).toBe("  above\n0two");
  });
});
