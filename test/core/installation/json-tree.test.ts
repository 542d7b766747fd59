import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memberOf, parseJson, placeOf, valueOf } from "../../../src/core/installation/json-tree.ts";

function builtIn(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

describe("reading JSON with its places", () => {
  it("agrees with the built-in parser on what JSON says", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom("", " ", "  ", "\t", "\r\n"), (value, indent) => {
        const text = `${indent}${JSON.stringify(value, null, indent)}${indent}`;
        const parsed = parseJson(text);
        expect(parsed.ok && valueOf(parsed.value)).toEqual(JSON.parse(text));
      }),
    );
  });

  it("agrees with the built-in parser on what is JSON", () => {
    const noise = fc.constantFrom(
      ...'{}[]",:\\/*tfn0-1.eE \n\u0001é'.split(""),
      "true",
      "\\u00e9",
      "{}",
      '"a"',
    );
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.tuple(fc.nat(), noise), { maxLength: 3 }), (value, marks) => {
        const text = marks.reduce((left, [offset, mark]) => {
          const at = offset % (left.length + 1);
          return left.slice(0, at) + mark + left.slice(at + (offset % 2));
        }, JSON.stringify(value));
        const expected = builtIn(text);
        const parsed = parseJson(text);
        expect(parsed.ok).toBe(expected !== undefined);
        if (parsed.ok) expect(valueOf(parsed.value)).toEqual(expected?.value);
      }),
      { numRuns: 1000 },
    );
  });

  it("gives every node its own text", () => {
    const text = '{ "a" : [1, {"b": null}] , "c": "x" }';
    const parsed = parseJson(text);
    if (!parsed.ok) throw new Error(parsed.error.message);
    const list = memberOf(parsed.value, "a")?.value;
    expect(list && text.slice(list.start, list.end)).toBe('[1, {"b": null}]');
    const inner = list?.kind === "array" ? list.items[1] : undefined;
    expect(inner && text.slice(inner.start, inner.end)).toBe('{"b": null}');
  });

  it("lets the last of two equal keys count, and keeps __proto__ a key", () => {
    const parsed = parseJson('{"a":1,"a":2,"__proto__":{"b":3}}');
    if (!parsed.ok) throw new Error(parsed.error.message);
    expect(memberOf(parsed.value, "a")?.value).toMatchObject({ value: 2 });
    expect(Object.keys(valueOf(parsed.value) as object)).toEqual(["a", "__proto__"]);
  });

  it.each([
    ["", 1, 1, "the file ends where a value was expected"],
    ["  \n", 2, 1, "the file ends where a value was expected"],
    ['{\n  // hooks\n  "a": 1\n}', 2, 3, "a comment, which JSON does not have"],
    ['{"a": 1 /* one */}', 1, 9, "a comment, which JSON does not have"],
    ['{\r\n  "a": 1,\r\n}', 3, 1, '"}" where a key in double quotes was expected'],
    ["[1,]", 1, 4, '"]" where a value was expected'],
    ["{'a': 1}", 1, 2, '"\'" where a key in double quotes was expected'],
    ['{"a" 1}', 1, 6, '"1" where a colon was expected'],
    ['{"a": 1 "b": 2}', 1, 9, '"\\"" where a comma or } was expected'],
    ["{} {}", 1, 4, '"{" where the end of the file was expected'],
    ['{"🌊": x}', 1, 7, '"x" where a value was expected'],
    ['["a', 1, 4, "a string that does not end"],
    ['["a\n"]', 1, 4, "a string that does not end"],
    ['["\\q"]', 1, 2, "a string with an escape that does not exist"],
    ["[01]", 1, 3, '"1" where a comma or ] was expected'],
  ])("says of %j where it is wrong", (text, line, column, message) => {
    expect(parseJson(text)).toEqual({ ok: false, error: { line, column, message } });
  });

  it("refuses what is nested beyond reason instead of falling", () => {
    expect(parseJson("[".repeat(1_000_000))).toMatchObject({
      ok: false,
      error: { message: "values nested more than 200 deep" },
    });
  });

  it("counts columns in characters", () => {
    expect(placeOf("a\n🌊b", 4)).toEqual({ line: 2, column: 3 - 1 });
  });
});
