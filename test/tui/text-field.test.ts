import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { graphemesOf, widthOf } from "../../src/tui/cells.ts";
import { editField, insertText, LONGEST_TEXT } from "../../src/tui/model/text-field.ts";
import type { TextField } from "../../src/tui/model/text-field.ts";
import { drawnText, layoutText, rowOf } from "../../src/tui/model/text-layout.ts";

const KEYS = [
  "left",
  "right",
  "up",
  "down",
  "home",
  "end",
  "pageup",
  "pagedown",
  "backspace",
  "delete",
  "ctrl-w",
  "ctrl-u",
];
const anything = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom("a b", "\n", "\n\n", "\t", "日本語", "e\u0301", "👨‍👩‍👧", "\u001B[31mred\u001B[0m", "  "),
);

function press(field: TextField, ...keys: string[]): TextField {
  return keys.reduce((current, key) => editField(current, key, 20, 5) ?? current, field);
}

/** Every index that the caret may have. */
function boundaries(text: string): Set<number> {
  const found = new Set([0]);
  let index = 0;
  for (const line of text.split("\n")) {
    for (const grapheme of graphemesOf(line)) found.add((index += grapheme.length));
    found.add((index += 1));
  }
  return found;
}

describe("a field that is written in", () => {
  it("holds no control character, and its caret never stands inside a grapheme", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            anything.map((text) => ({ text })),
            fc.constantFrom(...KEYS).map((key) => ({ key })),
          ),
        ),
        fc.constantFrom("line" as const, "text" as const),
        fc.integer({ min: 8, max: 40 }),
        (steps, kind, width) => {
          let field: TextField = { text: "", caret: 0 };
          for (const step of steps) {
            const before = field;
            field =
              "text" in step
                ? insertText(field, step.text, kind).field
                : (editField(field, step.key, width, 4) ?? field);
            expect(field.text).not.toMatch(kind === "line" ? /\p{Cc}/u : /[^\P{Cc}\n\t]/u);
            // Text that combines with its neighbours may make one grapheme of two.
            if ("key" in step && boundaries(before.text).has(before.caret)) {
              expect(boundaries(field.text).has(field.caret), JSON.stringify({ before, step, field })).toBe(
                true,
              );
            }
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it("keeps what a paste says and drops what it would do", () => {
    const paste = "one\ttwo\r\n\u001B[2J\u001B]52;c;AAAA\u0007three\u0000\u0008\u009Bmfour";
    expect(insertText({ text: "", caret: 0 }, paste, "text").field.text).toBe("one\ttwo\nthreefour");
    expect(insertText({ text: "", caret: 0 }, paste, "line").field.text).toBe("one two threefour");
  });

  it("says how much of a paste had no room", () => {
    const { field, dropped } = insertText({ text: "ab", caret: 1 }, "x".repeat(LONGEST_TEXT), "text");
    expect(field.text).toHaveLength(LONGEST_TEXT);
    expect(dropped).toBe(2);
    expect(field.text.endsWith("xb")).toBe(true);
  });

  it("moves by graphemes and rows, and erases by words and lines", () => {
    const field = { text: "one two\nthree e\u0301", caret: 16 };
    expect(press(field, "left").caret).toBe(14);
    expect(press(field, "backspace").text).toBe("one two\nthree ");
    expect(press(field, "up").caret).toBe(7);
    expect(press(field, "home").caret).toBe(8);
    expect(press(field, "up", "home", "left").caret).toBe(0);
    expect(press(field, "ctrl-w", "ctrl-w").text).toBe("one two\n");
    expect(press(field, "ctrl-u").text).toBe("one two\n");
    expect(press({ text: "ab\ncd", caret: 3 }, "backspace")).toEqual({ text: "abcd", caret: 2 });
    expect(press({ text: "ab\ncd", caret: 2 }, "delete")).toEqual({ text: "abcd", caret: 2 });
    expect(press({ text: "", caret: 0 }, ...KEYS)).toEqual({ text: "", caret: 0 });
  });
});

describe("the layout of a text", () => {
  it("shows every character once, in rows that are no wider than they may be", () => {
    fc.assert(
      fc.property(
        fc.array(anything).map((parts) => parts.join("")),
        fc.integer({ min: 8, max: 60 }),
        (text, width) => {
          const clean = insertText({ text: "", caret: 0 }, text, "text").field.text;
          const { rows, indexAt, cellsTo } = layoutText(clean, width);
          let shown = "";
          for (const row of rows) {
            if (row.start > shown.length) shown += "\n";
            expect(row.start).toBe(shown.length);
            shown += clean.slice(row.start, row.end);
            const drawn = drawnText(clean.slice(row.start, row.end));
            // What cannot be divided may be wider than a row: one character in its visible form.
            if (graphemesOf(clean.slice(row.start, row.end)).length > 1)
              expect(widthOf(drawn)).toBeLessThanOrEqual(width);
            expect(indexAt(row, cellsTo(row, row.end))).toBe(row.end);
          }
          expect(shown).toBe(clean);
          for (let index = 0; index <= clean.length; index++) {
            const row = rows[rowOf(rows, index)];
            expect(row !== undefined && row.start <= index && index <= row.end).toBe(true);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it("breaks behind a blank", () => {
    const text = "to be written in rows";
    expect(layoutText(text, 12).rows.map(({ start, end }) => text.slice(start, end))).toEqual([
      "to be ",
      "written in ",
      "rows",
    ]);
  });
});
