import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clip, inert, inertLines } from "../../../src/core/text/inert.ts";

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  // Half surrogates too: JSON and file names can carry them.
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc.string({
    unit: fc.constantFrom("\u001b", "]", "5", "2", ";", "\u0007", "a", "\u202e", "\u200d", "\ufe0f"),
  }),
);

/** Written out by number, so that the test does not share the implementation's table. */
const FORBIDDEN: readonly (readonly [number, number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0x00ad, 0x00ad],
  [0x061c, 0x061c],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe0fff],
];

function forbiddenIn(text: string): string[] {
  return Array.from(text)
    .map((character) => character.codePointAt(0) ?? 0)
    .filter((code) => FORBIDDEN.some(([from, to]) => code >= from && code <= to))
    .map((code) => code.toString(16));
}

describe("inert", () => {
  test("lets no control, separator, bidirectional, invisible or half character through", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(forbiddenIn(inert(text))).toEqual([]);
      }),
    );
  });

  test("changes nothing that it made itself", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(inert(inert(text))).toBe(inert(text));
      }),
    );
  });

  test("leaves printable text as it is", () => {
    const printable = fc.string({
      unit: fc.constantFrom(...Array.from("aZ09 _-/\\{}é日本語ÄßΩжا한👍€→│█●✓")),
    });
    fc.assert(
      fc.property(printable, (text) => {
        expect(inert(text)).toBe(text);
      }),
    );
  });

  test.each([
    ["\u001b[2J", "␛[2J"],
    ["\u001b]52;c;aGk=\u0007", "␛]52;c;aGk=␇"],
    ["\u009d0;title\u009c", "\\u{9d}0;title\\u{9c}"],
    ["a\tb\nc\rd\0e", "a␉b␊c␍d␀e"],
    ["\u007f", "␡"],
    [" \u001f \u0000", " ␟ ␀"],
    ["abc\u202edef\u2066g", "abc\\u{202e}def\\u{2066}g"],
    ["a\u200bb\ufeffc\u2028d", "a\\u{200b}b\\u{feff}c\\u{2028}d"],
    ["\u{e0041}\u{e0100}", "\\u{e0041}\\u{e0100}"],
    ["\ud800x\udc00", "\\u{d800}x\\u{dc00}"],
    ["⚠\ufe0f ❤\ufe0f\u200d🔥 ✔\ufe0e", "⚠ ❤\\u{200d}🔥 ✔"],
  ])("shows %j as %s", (text, shown) => {
    expect(inert(text)).toBe(shown);
  });
});

describe("inertLines", () => {
  test("splits at every kind of line break first", () => {
    expect(inertLines("a\r\nb\rc\nd\u2028e")).toEqual(["a", "b", "c", "d\\u{2028}e"]);
  });
});

describe("clip", () => {
  test("counts code points and marks the cut", () => {
    expect(clip("👍👍👍", 3)).toBe("👍👍👍");
    expect(clip("👍👍👍👍", 3)).toBe("👍👍…");
    expect(clip("abc", 1)).toBe("…");
    expect(clip("abc", 0)).toBe("");
    expect(clip("", 0)).toBe("");
  });

  test("never gives more than it was asked for, and only cuts what is longer", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(30), (text, maximum) => {
        const clipped = clip(text, maximum);
        expect(Array.from(clipped).length).toBeLessThanOrEqual(maximum);
        const fits = Array.from(text).length <= maximum;
        expect(fits ? clipped === text : clipped.endsWith("…") || maximum === 0).toBe(true);
      }),
    );
  });
});
