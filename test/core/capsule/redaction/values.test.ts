import { describe, expect, it } from "vitest";
import { isNoSecret, looksDrawn, valueAt } from "../../../../src/core/capsule/redaction/values.ts";

/** What is told of a value: its quotes, its content, and what stands behind it. */
function told(text: string): readonly string[] | undefined {
  const value = valueAt(text, 0);
  return value && [value.quote, value.content, value.closing, text.slice(value.end)];
}

describe("a value", () => {
  it.each([
    ["ab c", ["", "ab", "", " c"]],
    ["'ab' c", ["'", "ab", "'", " c"]],
    ["„a” b“ c", ["„", "a", "”", " b“ c"]],
    ["„a“ b” c", ["„", "a", "“", " b” c"]],
    ["“a b” c", ["“", "a b", "”", " c"]],
    ["“ab", ["“", "ab", "", ""]],
    ['\\"ab" c\\" d', ['\\"', 'ab" c\\" d', "", ""]],
    ['" ab\ncd" ', ['"', " ab\ncd", '"', " "]],
    ['"ab\ncd" e', ['"', "ab", "", '\ncd" e']],
    ['"ab  \ncd",', ['"', "ab  \ncd", '"', ","]],
    ['"\n ab \n"', ['"', "\n ab \n", '"', ""]],
    ['"""ab""" c', ['"""', "ab", '"""', " c"]],
    ["'''a\nb''' c", ["'''", "a\nb", "'''", " c"]],
    ['\\"\\"\\"ab\\"\\"\\" c', ['\\"\\"\\"', "ab", '\\"\\"\\"', " c"]],
    ['"""ab\ncd', ['"""', "ab", "", "\ncd"]],
    ['"""\n  ab\ncd', ['"""', "ab", "", "\ncd"]],
    [`"""${"x".repeat(16_380)}""" c`, ['"""', "x".repeat(16_380), '"""', " c"]],
    ['\'ab\n + "c"', ["'", "ab", "", '\n + "c"']],
    ["'ab' + \"cd\" e", ["'", "ab' + \"cd", "'", " e"]],
    [`'a'${" + 'b'".repeat(50)} c`, ["'", `a'${" + 'b'".repeat(50)}`.slice(0, -1), "'", " c"]],
    [`x${"'y".repeat(50)} z`, ["", `x${"'y".repeat(50)}`, "", " z"]],
    ["x'y z'w v", ["", "x'y z'w", "", " v"]],
  ])("%j", (text, parts) => {
    expect(told(text)).toEqual(parts);
  });

  it.each([
    "",
    " ab",
    '"',
    "'",
    '"" ab',
    "“” ab”",
    '"\n"',
    '"\n\n"',
    '"\n ab cd\n"',
    '"""',
    '"""\n',
    '""""""',
    '") ab',
    '"\nab',
  ])("%j has none", (text) => {
    expect(told(text)).toBeUndefined();
  });
});

describe("what looks drawn", () => {
  it.each([
    "ab12cd",
    "12abcd",
    "xmd5abc",
    "12ab34cd",
    "a!b1-c",
    "max:255a",
    "xhttps:1a",
    "12.345abcd",
    "b-c.d1:12x",
  ])("%s", (text) => {
    expect(looksDrawn(text)).toBe(true);
  });

  it.each([
    "ab12c",
    "ab 12cd",
    "1234567",
    "abcdef",
    "!-#1-#",
    "sha256-x",
    "12.345abc",
    "12:34:56ms",
    "a-b.ts:12:5",
    "a.ts:123",
    "http://a1.b",
    "https://a1.b",
    "[abc12]",
    "./ab12",
    "~/ab12",
    "max:1,2",
    "char_a(60)",
  ])("%s does not", (text) => {
    expect(looksDrawn(text)).toBe(false);
  });
});

describe("no secret", () => {
  it.each(["process.env", "process.env.ABC", "$TOKEN", "${TOKEN}", "***", "....", "<a b>", "string"])(
    "is %s",
    (text) => {
      expect(isNoSecret(text)).toBe(true);
    },
  );

  it.each([
    "x$TOKEN",
    "xprocess.env.ABC",
    "process.environ",
    "x***",
    "$token!",
    "<a>b",
    "mystring",
    "string9",
  ])("is not %s", (text) => {
    expect(isNoSecret(text)).toBe(false);
  });
});
