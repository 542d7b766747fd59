import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clipBytes } from "../../../src/core/text/clip-bytes.ts";

describe("a text cut by bytes", () => {
  it.each([
    ["abc", 3, "abc"],
    ["abcd", 4, "abcd"],
    ["abcd", 3, "…"],
    ["abcdef", 5, "ab…"],
    ["äöü", 6, "äöü"],
    ["äöü", 5, "ä…"],
    ["äöü", 4, "…"],
    ["👍👍", 8, "👍👍"],
    ["👍👍", 7, "👍…"],
    ["👍👍", 6, "…"],
    ["abcd", 2, ""],
    ["abcd", 0, ""],
    ["", 0, ""],
  ])("%j at %i is %j", (text, maximum, kept) => {
    expect(clipBytes(text, maximum)).toBe(kept);
  });

  it("never has more bytes than it was given, and only a longer one is cut, and marked", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 30 }),
        fc.integer({ min: 3, max: 60 }),
        (text, maximum) => {
          const clipped = clipBytes(text, maximum);
          expect(Buffer.byteLength(clipped)).toBeLessThanOrEqual(maximum);
          if (Buffer.byteLength(text) <= maximum) expect(clipped).toBe(text);
          else expect(text.startsWith(clipped.slice(0, -1)) && clipped.endsWith("…")).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });
});
