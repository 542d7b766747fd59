import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { lightSha256 } from "../../../src/core/base/light-hash.ts";

const nodes = (text: string): string => createHash("sha256").update(text).digest("hex");

it("agrees with Node's SHA-256 on any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      expect(lightSha256(text)).toBe(nodes(text));
    }),
  );
});

it("agrees at every length around the ends of a block", () => {
  for (let length = 0; length <= 200; length += 1)
    expect(lightSha256("x".repeat(length))).toBe(nodes("x".repeat(length)));
});
