import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../../src/core/text/canonical-json.ts";
import { parseStrictJson } from "../../../src/core/text/strict-json.ts";

type CanonicalValue = string | number | boolean | CanonicalValue[] | { [key: string]: CanonicalValue };

const GOLDEN = join(import.meta.dirname, "../../fixtures/golden/continuity");

describe("canonical JSON", () => {
  it.each(["first", "second"])("spells the %s record of an independent writer byte for byte", (name) => {
    const stored = JSON.parse(readFileSync(join(GOLDEN, `${name}.stored.json`), "utf8")) as {
      record: CanonicalValue;
    };
    expect(Buffer.from(canonicalJson(stored.record))).toEqual(
      readFileSync(join(GOLDEN, `${name}.canonical`)),
    );
  });

  it("sorts keys by their bytes, also beyond the basic plane", () => {
    expect(canonicalJson({ "\u{1f600}": 1, "\uffee": 2, a: 3, Z: 4, "": 5 })).toBe(
      '{"":5,"Z":4,"a":3,"\uffee":2,"\u{1f600}":1}',
    );
  });

  it("escapes what JSON must and nothing else", () => {
    expect(canonicalJson('"\\\b\f\n\r\t\u0000\u001f/\u007f\u2028é')).toBe(
      '"\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f/\u007f\u2028é"',
    );
  });

  it.each([[1.5], [Number.MAX_SAFE_INTEGER + 1], [Number.NaN], ["half \ud800"], [{ "\udc00": 1 }], [null]])(
    "has no spelling for %j",
    (value) => {
      expect(() => canonicalJson(value)).toThrow(TypeError);
    },
  );

  it("does not depend on the order of keys, and says everything", () => {
    const value = fc.letrec<{ node: CanonicalValue; leaf: CanonicalValue }>((tie) => ({
      leaf: fc.oneof(fc.string({ unit: "grapheme" }), fc.nat(), fc.boolean()),
      node: fc.oneof(
        { depthSize: "small" },
        tie("leaf"),
        fc.array(tie("node"), { maxLength: 4 }),
        fc.dictionary(fc.string({ unit: "grapheme" }), tie("node"), { maxKeys: 4 }),
      ),
    })).node;
    const reversed = (given: CanonicalValue): CanonicalValue => {
      if (Array.isArray(given)) return given.map(reversed);
      if (typeof given !== "object") return given;
      return Object.fromEntries(
        Object.entries(given)
          .toReversed()
          .map(([key, member]) => [key, reversed(member)]),
      );
    };
    fc.assert(
      fc.property(value, (given) => {
        const text = canonicalJson(given);
        expect(canonicalJson(reversed(given))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(given)));
      }),
      { numRuns: 60 },
    );
  });
});

describe("strict JSON", () => {
  it.each([
    ['{"a":1,"a":2}', /twice/],
    ['{"a":{"b":1,"\\u0062":2}}', /twice/],
    ['{"a":"\\ud800"}', /half/],
    [`${JSON.stringify({ a: "\ud800" }, null, 2)}\n`, /half/],
    ['{"a":1e0}', /whole/],
    ['{"a":-1}', /whole/],
    ['{"a":1.0}', /whole/],
    ['{"a" :"x","b":1,"b":2}', /twice/],
    ['{"a" :1,"a": 2,\n"b": 2\n}', /twice/],
    ['{"a": 1e0,\n"b": 1\n}', /whole/],
    ['{"a":1', /not JSON/],
    ["", /not JSON/],
    ['\ufeff{"a":1}', /not JSON/],
  ])("refuses %j", (text, reason) => {
    expect(parseStrictJson(text)).toEqual({ ok: false, error: expect.stringMatching(reason) });
  });

  it.each([
    ['{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}'],
    ['{"a":"a","b":["a","a"]}'],
    ['["a","a"]'],
    ['{"quote":"\\"a\\":1, \\"a\\":2"}'],
    ['{"pair":"\\ud83d\\ude00"}'],
    [`${JSON.stringify({ a: [], b: { c: 0 } }, null, 2)}\n`],
  ])("takes %j", (text) => {
    expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
  });
});
