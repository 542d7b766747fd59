import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { parseFrontMatter } from "../../../src/core/text/front-matter.ts";
import { splitFrontMatter } from "../../../src/core/text/split-front-matter.ts";
import { parseYaml } from "../../../src/core/text/yaml.ts";
import { YAML_MAXIMUM_BYTES } from "../../../src/core/text/yaml-limit.ts";

describe("splitFrontMatter", () => {
  test("parts at the first line that is exactly ---", () => {
    const split = splitFrontMatter("---\na: 1\n--- not yet\n ---\n---\n\nbody\n---\nmore\n");
    expect(split).toMatchObject({
      ok: true,
      value: { head: "a: 1\n--- not yet\n ---\n", body: "\nbody\n---\nmore\n" },
    });
  });

  test("tolerates CRLF and a byte order mark, and an end right after the fence", () => {
    expect(splitFrontMatter("\ufeff---\r\na: 1\r\n---\r\nbody\r\n")).toMatchObject({
      value: { head: "a: 1\r\n", body: "body\r\n" },
    });
    expect(splitFrontMatter("---\na: 1\n---")).toMatchObject({ value: { head: "a: 1\n", body: "" } });
  });

  test("no other line separator can forge a fence", () => {
    for (const separator of ["\u2028", "\u2029", "\u0085", "\v", "\f", "\r"])
      expect(splitFrontMatter(`---\na: x${separator}---${separator}b: y\n---\nbody`)).toMatchObject({
        value: { body: "body" },
      });
  });

  test.each(["", "a: 1\n---\n", " ---\na: 1\n---\n", "---\na: 1\n", "---", "----\n---\n"])(
    "refuses %j",
    (text) => {
      expect(splitFrontMatter(text)).toMatchObject({
        ok: false,
        error: expect.stringContaining("no front matter"),
      });
    },
  );

  test("its parts and the fences are the text", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (head, body) => {
        const text = `---\n${head}\n---\n${body}`;
        const split = splitFrontMatter(text);
        expect(split.ok).toBe(true);
        if (!split.ok) return;
        const { headStart, bodyStart } = split.value;
        expect(text.slice(headStart, headStart + split.value.head.length)).toBe(split.value.head);
        expect(text.slice(bodyStart)).toBe(split.value.body);
      }),
    );
  });
});

describe("parseYaml", () => {
  test("reads YAML 1.2: no dates, no yes and no, no merge keys, whatever the document declares", () => {
    expect(parseYaml("%YAML 1.1\n---\nflag: yes\nday: 2026-01-01\n<<: {a: 1}\nempty:\nnumber: 12\n")).toEqual(
      {
        ok: true,
        value: { flag: "yes", day: "2026-01-01", "<<": { a: 1 }, empty: null, number: 12 },
      },
    );
  });

  test("objects have no prototype, and __proto__ is a key", () => {
    const parsed = parseYaml("__proto__: {polluted: true}\nconstructor: x");
    expect(parsed.ok && Object.getPrototypeOf(parsed.value)).toBeNull();
    expect(parsed.ok && Object.keys(parsed.value as object)).toEqual(["__proto__", "constructor"]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  const bomb = ["a: &a [x,x,x,x,x,x,x,x,x]"];
  for (let level = 1; level < 9; level += 1) {
    const [name, below] = ["bcdefghij"[level - 1], "abcdefghij"[level - 1]];
    bomb.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${below}`).join(",")}]`);
  }

  test.each([
    ["a duplicate key", "a: 1\nb:\n  c: 1\n  c: 2", "the key c stands twice"],
    ["an unknown tag", "a: !!js/function 'x'", "Unresolved tag"],
    ["a tag of another schema", "a: !!binary aGk=", "Unresolved tag"],
    ["two documents", "a: 1\n---\nb: 2", "multiple documents"],
    ["an alias bomb", bomb.join("\n"), "more than 16 aliases"],
    ["many aliases", `a: &a x\nb: [${"*a,".repeat(20_000)}]`, "more than 16 aliases"],
    ["a circle", "a: &a [*a]", "nested deeper than 32 levels"],
    ["an alias to nothing", "a: *nobody", "nobody"],
    ["many values", `[${"1,".repeat(30_000)}]`, "more than 20000 values"],
    ["deep flow lists", "[".repeat(60_000), "nested too deeply"],
    ["deep flow maps", "{a: ".repeat(10_000), "nested too deeply"],
    [
      "deep blocks",
      Array.from({ length: 60 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n"),
      "32 levels",
    ],
    ["a map as a key", "? {a: 1}\n: x", "a key that is not plain text"],
    ["too much text", "a".repeat(YAML_MAXIMUM_BYTES + 1), "larger than 65536 bytes"],
  ])("refuses %s", (_, text, reason) => {
    const parsed = parseYaml(text);
    expect(parsed).toMatchObject({ ok: false, error: expect.stringContaining(reason) });
    expect(!parsed.ok && parsed.error).not.toContain("\n");
  });

  test("reads thirteen thousand keys", () => {
    const keys = Array.from({ length: 13_000 }, (_, index) => `${index.toString(36)}:`);
    expect(parseYaml(keys.join("\n"))).toMatchObject({ ok: true });
  });

  test("never throws and never prints", () => {
    const prints = [
      vi.spyOn(console, "warn"),
      vi.spyOn(process, "emitWarning"),
      vi.spyOn(process.stderr, "write"),
    ];
    const hostile = fc.string({
      unit: fc.constantFrom(...Array.from("ab:-[]{}'\"\\,# \n\t&*!|>%@`?~0\0")),
      maxLength: 80,
    });
    fc.assert(
      fc.property(
        fc.oneof(hostile, fc.string({ unit: "binary" })),
        (text) => typeof parseYaml(text).ok === "boolean",
      ),
    );
    for (const print of prints) expect(print).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });
});

describe("parseFrontMatter", () => {
  test("gives fields, their order, the body and the raw head", () => {
    expect(parseFrontMatter("---\nb: 1\na: [x]\n---\n\nbody\n")).toEqual({
      ok: true,
      value: { fields: { b: 1, a: ["x"] }, order: ["b", "a"], body: "\nbody\n", raw: "b: 1\na: [x]\n" },
    });
  });

  test("keeps a number as text where reading it would lose something", () => {
    const text = `---\nversion: 1.10\nhead: ${"7".repeat(40)}\nhex: 0x1f\ncount: 12\nratio: 0.5\nfloat: 12e4\n---\n`;
    expect(parseFrontMatter(text)).toMatchObject({
      value: {
        fields: { version: "1.10", head: "7".repeat(40), hex: "0x1f", count: 12, ratio: 0.5, float: "12e4" },
      },
    });
  });

  test("an empty head has no fields; a list or text is no front matter", () => {
    expect(parseFrontMatter("---\n---\nbody")).toMatchObject({ value: { order: [], body: "body" } });
    expect(parseFrontMatter("---\n- a\n---\n")).toMatchObject({ error: "front matter: not a map of keys" });
    expect(parseFrontMatter("---\njust text\n---\n")).toMatchObject({
      error: "front matter: not a map of keys",
    });
  });
});
