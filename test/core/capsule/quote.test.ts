import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quoteValue } from "../../../src/core/capsule/quote.ts";
import { readList, readScalar } from "../../../src/core/capsule/scalar.ts";

describe("a quoted value", () => {
  it.each([
    ["plain", '"plain"'],
    ["  a \t b\n\nc\r\nd  ", '"a b c d"'],
    ['say "x" \\ y', '"say \\"x\\" \\\\ y"'],
    ["a\u2028b\u0085c\u0000d", '"a b c d"'],
    ["\u202eevil", '"\\u{202e}evil"'],
    ["zero\u200bwidth", '"zero\\u{200b}width"'],
    ["tag\u{e0041}", '"tag\\u{e0041}"'],
    ["half \ud83d", '"half \\ud83d"'],
    ["\u001b[31mred\u001b]52;c;x\u0007", '"[31mred ]52;c;x"'],
    ["", '""'],
  ])("%j is shown as %s", (value, shown) => {
    expect(quoteValue(value)).toBe(shown);
  });

  it("is cut on characters, with the cut announced", () => {
    expect(quoteValue("x".repeat(20_000), 10)).toBe(`"${"x".repeat(10)}…[+19990 chars]"`);
    expect(quoteValue("😀".repeat(12), 10)).toBe(`"${"😀".repeat(10)}…[+2 chars]"`);
    expect(quoteValue("字".repeat(100), 50, { bytes: 60 })).toBe(`"${"字".repeat(20)}…[+80 chars]"`);
  });

  it("of anything is one bounded line between quotes, without a character that hides", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 60 }), (value, most) => {
        const shown = quoteValue(value, most);
        expect(shown).toMatch(/^".*"$/su);
        expect(shown).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b-\u200f\ufeff]/u);
        expect(Array.from(shown.replace(/…\[\+\d+ chars\]/, "")).length).toBeLessThanOrEqual(most + 2);
      }),
    );
  });
});

describe("the small scalar reader", () => {
  it.each([
    ['"a\\nb"', "a b"],
    ['"bad \\q escape"', "bad \\q escape"],
    ["'it''s'", "it's"],
    ["it's # x", "it's # x"],
    ["plain # comment", "plain"],
    ["a#b", "a#b"],
    ['"x # y" # z', "x # y"],
    ['"x \\" # y"', 'x " # y'],
    [' "x # y" ', "x # y"],
    ['"it\'s [a]"', "it's [a]"],
    ['"x" y', '"x" y'],
    ['"x" "y"', 'x" "y'],
    ['""', ""],
    ["\u00a0padded\ufeff", "padded"],
    ["# only a comment", ""],
    ['"', '"'],
    ["[a, b]", "[a, b]"],
  ])("%j is %j", (rest, text) => {
    expect(readScalar(rest).text).toBe(text);
  });

  it("takes what stands between double quotes for what JSON says it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii" }), (text) => {
        const token = JSON.stringify(text);
        expect(readScalar(` ${token} `)).toEqual({
          text,
          token,
          tokenStart: 1,
          commented: false,
          nothing: false,
        });
        expect(readScalar(`${token} # said`)).toMatchObject({ text, token, commented: true });
      }),
    );
  });

  it("finds its token again in any line", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (rest) => {
        const { token, tokenStart } = readScalar(rest);
        expect(rest.slice(tokenStart, tokenStart + token.length)).toBe(token);
      }),
    );
  });

  it.each([
    ['[capsule, "autosave"]', [], ["capsule", "autosave"]],
    ["autosave", [], ["autosave"]],
    ["", ["  - capsule", "  - autosave # c", "next: x", "  - no"], ["capsule", "autosave"]],
    ["", ["- not indented"], []],
    ["null", [], []],
    ['["a, b"]', [], ['"a', 'b"']],
  ] as [string, string[], string[]][])("reads the list %j %j", (rest, lines, items) => {
    expect(readList(rest, lines)).toEqual(items);
  });
});
