import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compareBytewise } from "../../../src/core/base/bytewise.ts";

// Few characters, from each length of UTF-8 and both sides of the surrogates, so that prefixes collide.
const text = fc.string({
  unit: fc.constantFrom("a", "b", "é", "\uD7FF", "\uE000", "\uFFFD", "😀", "\u{10FFFF}"),
});

test("strings are ordered as their UTF-8 bytes are", () => {
  fc.assert(
    fc.property(text, text, (left, right) => {
      const bytes = Buffer.compare(Buffer.from(left), Buffer.from(right));
      expect(Math.sign(compareBytewise(left, right))).toBe(bytes);
    }),
    { numRuns: 500 },
  );
});

test("JavaScript's own order would not do", () => {
  expect(["😀", "\uFFFD"].toSorted(compareBytewise)).toEqual(["\uFFFD", "😀"]);
  expect(["😀", "\uFFFD"].toSorted()).toEqual(["😀", "\uFFFD"]);
});
