import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { inert } from "../../src/core/text/inert.ts";
import { clipCells, clipMiddle, fitCells, graphemesOf, widthOf, wrapCells } from "../../src/tui/cells.ts";
import { fitLine, lineWidth, show } from "../../src/tui/model/line.ts";

const anyText = fc.string({ unit: "binary", maxLength: 40 });
const graphemes = fc.string({ unit: "grapheme", maxLength: 40 });

describe("widthOf", () => {
  it("is string-width's, which Ink lays out with", () => {
    fc.assert(fc.property(graphemes, (text) => widthOf(text) === stringWidth(text)));
    for (let code = 0x20; code < 0x3100; code++) {
      const character = String.fromCodePoint(code);
      expect(widthOf(character), code.toString(16)).toBe(stringWidth(character));
    }
  });
});

describe("text in cells", () => {
  it("is never wider than it may be, and never cut inside a grapheme", () => {
    fc.assert(
      fc.property(graphemes, fc.nat(30), (text, width) => {
        const all = graphemesOf(text);
        for (const clipped of [clipCells(text, width), clipMiddle(text, width)]) {
          expect(widthOf(clipped)).toBeLessThanOrEqual(width);
          const kept = clipped.split("…").flatMap(graphemesOf);
          for (const grapheme of kept) expect(all.join("|")).toContain(grapheme);
        }
      }),
    );
  });

  it("fills its column exactly", () => {
    fc.assert(
      fc.property(
        anyText,
        fc.nat(40),
        fc.constantFrom("left" as const, "right" as const),
        (text, width, side) => {
          expect(widthOf(fitCells(show(text), width, side))).toBe(width);
        },
      ),
    );
  });

  it("wraps without losing anything but blanks", () => {
    fc.assert(
      fc.property(graphemes, fc.integer({ min: 2, max: 20 }), (text, width) => {
        const safe = show(text);
        // A cluster of many marks can be wider than the whole line: it is shown as an ellipsis.
        fc.pre(graphemesOf(safe).every((grapheme) => widthOf(grapheme) <= width));
        const pieces = wrapCells(safe, width);
        for (const piece of pieces) expect(widthOf(piece)).toBeLessThanOrEqual(width);
        expect(pieces.join("").replaceAll(" ", "")).toBe(safe.replaceAll(" ", ""));
      }),
    );
  });

  it("breaks at blanks and behind slashes", () => {
    expect(wrapCells("one two three", 8)).toEqual(["one two", "three"]);
    expect(wrapCells("one two three", 7)).toEqual(["one two", "three"]);
    expect(wrapCells("/home/mira/app/src", 12)).toEqual(["/home/mira/", "app/src"]);
    expect(wrapCells("", 8)).toEqual([""]);
  });

  it("says with an ellipsis that something is missing", () => {
    expect(clipCells("こんにちは", 5)).toBe("こん…");
    expect(clipMiddle("feature/long-name", 9)).toBe("feat…name");
    expect(clipCells("abc", 3)).toBe("abc");
  });
});

describe("fitLine", () => {
  it("gives exactly the width, and nothing that a terminal would obey", () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 5 }), fc.nat(60), (texts, width) => {
        const line = fitLine(
          texts.map((text) => ({ text: ` ${show(text)}` })),
          width,
        );
        expect(lineWidth(line)).toBe(width);
        const text = line.map((part) => part.text).join("");
        expect(inert(text)).toBe(text);
      }),
    );
  });

  it("marks a part that ends where others were cut away", () => {
    const text = (width: number): string =>
      fitLine([{ text: "abc" }, { text: "def" }], width)
        .map((part) => part.text)
        .join("");
    expect([text(7), text(6), text(5), text(3)]).toEqual(["abcdef ", "abcdef", "abcd…", "ab…"]);
  });
});
