import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonBoundary } from "../../src/hooks/json-boundary.ts";

/** Feeds pieces of these sizes and says how many bytes belong to the value. */
function endOf(bytes: Buffer, sizes: readonly number[]): number | undefined {
  const boundary = new JsonBoundary();
  let offset = 0;
  for (let turn = 0; offset < bytes.length; turn += 1) {
    const size = sizes.length === 0 ? bytes.length : (sizes[turn % sizes.length] ?? 1);
    const end = boundary.push(bytes.subarray(offset, offset + size));
    if (end !== undefined) return offset + end;
    offset += size;
  }
  return boundary.end() === "complete" ? bytes.length : undefined;
}

const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { maxLength: 5 });
const containers = fc.oneof(
  fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()),
  fc.array(fc.jsonValue()),
);

describe("where a JSON value ends", () => {
  it("is found in any split, whatever follows", () => {
    fc.assert(
      fc.property(containers, sizes, fc.string(), (value, split, rest) => {
        const json = Buffer.from(JSON.stringify(value, null, split.length));
        expect(endOf(Buffer.concat([json, Buffer.from(rest)]), split)).toBe(json.length);
      }),
    );
  });

  it.each(["utf16le", "utf16be"] as const)("is found in %s, with and without a mark", (encoding) => {
    fc.assert(
      fc.property(containers, sizes, fc.boolean(), (value, split, marked) => {
        const text = `${marked ? "\uFEFF" : ""}${JSON.stringify(value)}`;
        const little = Buffer.from(text, "utf16le");
        const bytes = encoding === "utf16le" ? little : little.swap16();
        expect(endOf(Buffer.concat([bytes, bytes]), split)).toBe(bytes.length);
      }),
    );
  });

  it("comes after a byte order mark and blanks", () => {
    expect(endOf(Buffer.from("\uFEFF \n{}{}"), [])).toBe(7);
  });

  it.each([
    ["a word at its blank", "null {}", 5],
    ["a word at the end", "12", 2],
    ["one byte", "7", 1],
    ["a string", '"a\\"b" x', 6],
    ["text at its first blank", "hello world", 6],
  ])("is told for %s", (_what, text, end) => {
    expect(endOf(Buffer.from(text), [1])).toBe(end);
  });

  it.each(["", " \n\t", "{", '{"a":"}', "[[]", '"x'])("is not there in %j", (text) => {
    expect(endOf(Buffer.from(text), [1])).toBeUndefined();
  });
});
