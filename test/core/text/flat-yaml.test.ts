import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDocument } from "yaml";
import { parseFlat, plainOrQuoted, quoted } from "../../../src/core/text/flat-yaml.ts";

function flat(text: string): Record<string, unknown> | string {
  const fields = parseFlat(text);
  return fields.ok ? Object.fromEntries(fields.value) : fields.error;
}

/** What real YAML reads, in the two versions that readers of our files may speak. */
function readByYaml(text: string, schema: "failsafe" | "core" | "yaml-1.1"): unknown {
  const document = parseDocument(text, { schema, logLevel: "error" });
  expect([...document.errors, ...document.warnings]).toEqual([]);
  return document.toJS();
}

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string(),
  fc.string({
    unit: fc.constantFrom(...Array.from("a:#-'\"\\ [{&*!|>%@`~?,\n\r\t\0é\u0085\u2028\ufeff0.e1")),
  }),
  fc.string({ unit: fc.constantFrom(" ", "\u00a0", "\u2003", "\u3000", "x", "#"), maxLength: 3 }),
  fc.constantFrom(
    "true",
    "No",
    "null",
    "~",
    "1.10",
    "0x1f",
    ".inf",
    "12e4",
    "007",
    "2026-01-01",
    "1:30",
    "---",
  ),
);

describe("parseFlat", () => {
  test("reads values, quotes, comments and lists", () => {
    const text = [
      "# a comment",
      "plain: some text # and why",
      'double: "a \\"b\\" \\\\ c" # kept out',
      "single: 'it''s'",
      "colon: fix: the parser",
      "hash: a#b",
      "bare:",
      "none: []",
      "flow: [a, \"b, c\", 'd']",
      "block:",
      "  - one",
      '  - "two # 2"',
      "flush:",
      "- at the margin",
      "",
    ].join("\n");
    const fields = {
      plain: "some text",
      double: 'a "b" \\ c',
      single: "it's",
      colon: "fix: the parser",
      hash: "a#b",
      bare: "",
      none: [],
      flow: ["a", "b, c", "d"],
      block: ["one", "two # 2"],
      flush: ["at the margin"],
    };
    expect(flat(text)).toEqual(fields);
    expect(flat(text.replaceAll("\n", "\r\n"))).toEqual(fields);
  });

  test("keeps text as text: a commit id of digits, booleans, dates", () => {
    expect(flat(`head: ${"7".repeat(40)}\nflag: true\nday: 2026-01-01\nempty: null`)).toEqual({
      head: "7".repeat(40),
      flag: "true",
      day: "2026-01-01",
      empty: "null",
    });
  });

  test("strips outer quotes like the original where nothing was escaped", () => {
    expect(flat('owner: "DOMAIN\\user"')).toEqual({ owner: "DOMAIN\\user" });
    expect(flat('owner: "ends with \\"')).toEqual({ owner: "ends with \\" });
    expect(flat('owner: "a" and "b"')).toEqual({ owner: 'a" and "b' });
  });

  test.each([
    ["a: 1\na: 2", "line 2 (a): the key stands twice"],
    ["a: 1\n  b: 2", "line 2 (a): neither `key: value` nor a list item"],
    ["  - x", "line 1: neither `key: value` nor a list item"],
    ["a: x\n  - y", "line 2 (a): has a value and list items"],
    ["a: {b: 1}", "line 1 (a): not a plain value, a quoted value or a list"],
    ["a: [b, [c]]", "line 1 (a): not a plain value, a quoted value or a list"],
    ["a: &anchor x", "line 1 (a): not a plain value, a quoted value or a list"],
    ["a: |\n  text", "line 1 (a): not a plain value, a quoted value or a list"],
    ["a:\tb", "line 1: neither `key: value` nor a list item"],
    ["a: b\nc: d\0e", "line 2 (c): a NUL character"],
  ])("refuses %j", (text, reason) => {
    expect(flat(text)).toBe(reason);
  });

  test("keeps __proto__ an ordinary key", () => {
    const fields = parseFlat("__proto__: polluted\nconstructor: too");
    expect(fields.ok && fields.value.get("__proto__")).toBe("polluted");
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("never throws and never loops, whatever the text", () => {
    const hostile = fc.string({
      unit: fc.constantFrom(...Array.from("ab:-[]'\"\\,# \n\r\t{}\0")),
      maxLength: 200,
    });
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: "binary" })), (text) => {
        expect(parseFlat(text)).toHaveProperty("ok");
      }),
    );
  });

  test("reads a megabyte of one line and of many lines", () => {
    expect(flat(`a: "${"\\\\".repeat(500_000)}"`)).toEqual({ a: "\\".repeat(500_000) });
    expect(flat(`a: ${" ".repeat(500_000)}x${" ".repeat(500_000)}#`)).toEqual({ a: "x" });
    expect(flat(`a: [${"x,".repeat(400_000)}]`)).toEqual({ a: Array.from({ length: 400_000 }, () => "x") });
    expect(flat(`a:\n${"  - x\n".repeat(150_000)}`)).toEqual({
      a: Array.from({ length: 150_000 }, () => "x"),
    });
  });
});

describe("what records write", () => {
  test("every exact value comes back, from our reader and from real YAML", () => {
    fc.assert(
      fc.property(fc.array(anyText), anyText, (items, value) => {
        const list = items.map((item) => `  - ${plainOrQuoted(item)}\n`).join("");
        const text = `value: ${plainOrQuoted(value)}\nitems:${items.length === 0 ? " []" : ""}\n${list}`;
        expect(flat(text)).toEqual({ value, items });
        expect(readByYaml(text, "failsafe")).toEqual({ value, items });
        expect(readByYaml(text, "core")).toEqual({ value, items });
      }),
      { numRuns: 500 },
    );
  });

  test("every quoted value comes back without its line breaks, on one line", () => {
    fc.assert(
      fc.property(anyText, (value) => {
        const text = `value: ${quoted(value)}\nlist:\n  - ${quoted(value)}\n`;
        const kept = value.replaceAll(/[\r\n]/g, "");
        expect(text.split("\n")).toHaveLength(4);
        expect(flat(text)).toEqual({ value: kept, list: [kept] });
        expect(readByYaml(text, "core")).toEqual({ value: kept, list: [kept] });
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    "main",
    "feature/login-2",
    "/srv/app/.git",
    "git@example.invalid:team/app.git",
    "https://example.invalid/app.git",
    "2026-09-04T17:14:02Z",
    "81f20b1a13c5e130499328b98827c2c46e003904",
    "日本/ü.ts",
    "with space.ts",
    "it's.ts",
    "none",
    "C:\\work\\app",
  ])("writes %s plain", (value) => {
    expect(plainOrQuoted(value)).toBe(value);
  });

  test.each([
    ["", '""'],
    ["a: b", '"a: b"'],
    ["a #b", '"a #b"'],
    ["#12", '"#12"'],
    ["-x", '"-x"'],
    ["@scope/x", '"@scope/x"'],
    [" padded ", '" padded "'],
    ["true", '"true"'],
    ["on", '"on"'],
    ["1.10", '"1.10"'],
    ["12345", '"12345"'],
    ['say "no"', 'say "no"'],
    ['"quoted"', '"\\"quoted\\""'],
    ["two\nlines", '"two\\nlines"'],
    ["esc\u001b[2J", '"esc\\x1b[2J"'],
  ])("writes %j as %s", (value, written) => {
    expect(plainOrQuoted(value)).toBe(written);
  });

  test("no unquoted value is anything but text to a reader of the older YAML", () => {
    fc.assert(
      fc.property(anyText, (value) => {
        // Timestamps stand plain because the original writes them so; an older reader makes dates of them.
        fc.pre(!/^\d{4}-\d\d?-\d\d?/.test(value));
        expect(readByYaml(`value: ${plainOrQuoted(value)}\n`, "yaml-1.1")).toEqual({ value });
      }),
      { numRuns: 500 },
    );
  });
});
