import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { NestedValue } from "../../../src/core/text/nested-yaml.ts";
import { parseNested } from "../../../src/core/text/nested-yaml.ts";

function plain(value: NestedValue): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, inner]) => [key, plain(inner)]));
  return Array.isArray(value) ? value.map(plain) : value;
}

function read(text: string): unknown {
  const fields = parseNested(text);
  return fields.ok ? plain(fields.value) : fields.error;
}

describe("the nested subset", () => {
  it("reads maps, lists, and lists of maps, as YAML does", () => {
    const text = [
      "schema: knowledge/v1",
      'title: "say \\"no\\""',
      "tags:",
      "  - derived",
      "provenance:",
      "  origin: extracted",
      "  # a comment",
      "  derived_from:",
      "    - session:s-1",
      '    - "file:a: b"',
      "",
      "  deeper:",
      "    more:",
      "      - one",
      "relations:",
      "  - type: relates_to",
      "    target: file:a",
      "  - target: rule:b",
      "    list:",
      "      - x",
      "empty: []",
      "last: yes-it-is",
    ].join("\n");
    expect(read(text)).toEqual(parse(text));
    expect(read(text.replaceAll("\n", "\r\n"))).toEqual(parse(text));
  });

  it("takes lists at the indent of their key, and bare keys", () => {
    expect(read("a:\n- x\n- y\nb:\nc:\n- k: v\n  l: w\n")).toEqual({
      a: ["x", "y"],
      b: "",
      c: [{ k: "v", l: "w" }],
    });
  });

  it.each([
    ["a: 1\na: 2", "line 2 (a): the key stands twice"],
    ["p:\n  a: 1\n  a: 2", "line 3 (a): the key stands twice"],
    ["p: x\n  a: 1", "line 1 (p): has a value and lines below it"],
    ["p:\n a: 1", "line 1 (p): is not indented by two"],
    ["p:\n   a: 1", "line 2: neither `key: value` nor a list item"],
    ["p:\n\ta: 1", "line 2: neither `key: value` nor a list item"],
    ["  a: 1", "line 1: neither `key: value` nor a list item"],
    ["p: {a: 1}", "line 1 (p): not a plain value, a quoted value or a list"],
    ["p: &x y", "line 1 (p): not a plain value, a quoted value or a list"],
    ["p: >\n  folded", "line 1 (p): has a value and lines below it"],
    ["p:\n  - a: 1\n b: 2", "line 2 (p): an item that is not indented by two"],
    ["a: b\0c", "line 1 (a): a NUL character"],
    ["words alone", "line 1: neither `key: value` nor a list item"],
  ])("refuses %j", (text, reason) => {
    expect(read(text)).toBe(reason);
  });

  it("does not fall over depth", () => {
    const deep = Array.from({ length: 200 }, (_, depth) => `${"  ".repeat(depth)}k:`).join("\n");
    expect(read(deep)).toMatch(/nested deeper than 16 levels/);
  });

  it("never throws, and never takes what YAML reads otherwise", () => {
    const line = fc.oneof(
      fc.constantFrom("a:", "  b: 1", "  - x", "  - k: v", "    l: w", "    - z", "", "# c", "c: [p, q]"),
      fc.string({ unit: "binary", maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        expect(() => parseNested(lines.join("\n"))).not.toThrow();
      }),
    );
    const known = fc.constantFrom("a:", "b:", "  d: t", "  e:", "  - x", "    - z", "c: q");
    fc.assert(
      fc.property(fc.array(known, { maxLength: 7 }), (lines) => {
        const text = lines.join("\n");
        const fields = parseNested(text);
        if (!fields.ok) return;
        const own = JSON.stringify(plain(fields.value));
        expect(own).toBe(JSON.stringify(parse(text) ?? {}).replaceAll("null", '""'));
      }),
    );
  });
});
