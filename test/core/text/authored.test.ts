import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { authoredLine, authoredText } from "../../../src/core/text/authored.ts";

describe("what somebody wrote", () => {
  it.each([
    ["a pasted text", "\u001b[200~one\r\ntwo\rthree\u001b[201~", "one\ntwo\nthree"],
    ["colours", "\u001b[1;31mred\u001b[0m and \u009b32mgreen", "red and green"],
    ["a title sequence", "x\u001b]0;owned\u0007y\u001b]8;;http://a\u001b\\z", "xyz"],
    ["an unfinished sequence", "x\u001b]0;kept whole", "x]0;kept whole"],
    ["controls", "a\u0000b\u0008c\u007fd\u0085e\tf\ng", "abcde\tf\ng"],
    ["a byte order mark", "\ufefftext", "text"],
    ["a byte order mark inside", "a\ufeffb", "a\ufeffb"],
    ["a sequence with intermediates", "a\u001b(Bb\u001b %Gc", "abc"],
    ["half a character", "a\ud800b", "a\ufffdb"],
    ["what is no control", "日本 👩‍👩‍👧 — ünïcode", "日本 👩‍👩‍👧 — ünïcode"],
  ])("%s", (_, given, kept) => {
    expect(authoredText(given)).toBe(kept);
  });

  it.each([
    ["  one\n\n two\tthree  ", "one two three"],
    ["a\u2028b\u2029c", "a b c"],
    ["\ufeff  one", "one"],
    ["\u001b[200~\n\u001b[201~", ""],
  ])("becomes one line: %j", (given, line) => {
    expect(authoredLine(given)).toBe(line);
  });

  it("never has a control in it, is its own result, and takes long texts in one pass", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        const line = authoredLine(text);
        // oxlint-disable-next-line no-control-regex
        expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
        expect(authoredLine(line)).toBe(line);
        expect(line).toBe(line.trim());
      }),
    );
    expect(authoredText("\u009d".repeat(200_000))).toBe("");
    expect(authoredText("\u001b]".repeat(200_000))).toBe("]".repeat(200_000));
  });
});
