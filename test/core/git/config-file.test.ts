import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asBoolean, lastValue, parseConfig } from "../../../src/core/git/config-file.ts";
import { git, gitOrNothing, temporaryDirectory } from "./sandbox.ts";

const base = temporaryDirectory();

/** What git itself reads from a file of this text; undefined when it refuses. */
function fromGit(text: string) {
  const path = join(base, "config");
  writeFileSync(path, text);
  const output = gitOrNothing(base, "config", "--file", path, "--null", "--list");
  if (output === undefined) return undefined;
  return output
    .split("\0")
    .filter((setting) => setting !== "")
    .map((setting) => {
      const end = setting.indexOf("\n");
      return end === -1
        ? { key: setting, value: null }
        : { key: setting.slice(0, end), value: setting.slice(end + 1) };
    });
}

/** git before 2.45 turns a tab inside a value into a blank; later git keeps it, as the parser does. */
function withBlanks(entries: ReturnType<typeof parseConfig>) {
  return entries?.map(({ key, value }) => ({ key, value: value?.replaceAll("\t", " ") ?? null }));
}

describe("parseConfig reads what git reads", () => {
  it.each([
    ["nothing", ""],
    ["comments alone", "# one\n; two\n"],
    ["a plain section", "[core]\n\tbare = false\n"],
    ["case", '[CORE]\n\tBaRe = False\n[Remote "OriGin"]\n\tURL = X\n'],
    ["a key on the section's line", "[core] bare = true\n"],
    ["a name that stands alone", "[core]\n\tbare\n"],
    ["a name that stands before a comment", "[core]\n\tbare ; comment\n"],
    ["an empty value", "[core]\n\tworktree =\n"],
    ["quotes and escapes", '[a]\n\tb = " x \\" \\\\ \\t\\n y " z # gone\n'],
    ["quoted comment signs", '[a]\n\tb = "x # y ; z" ; comment\n'],
    ["a continued line", "[a]\n\tb = one \\\n  two\n"],
    ["trailing blanks", "[a]\n\tb = one two   \t\n"],
    ["a subsection with quotes and dots", '[branch "a.b \\"c\\" \\\\d"]\n\tremote = origin\n'],
    ["the old dotted section", "[branch.Topic]\n\tremote = origin\n"],
    ["CRLF", "[core]\r\n\tbare = true\r\n"],
    ["a byte order mark", "\uFEFF[core]\n\tbare = true\n"],
    ["no newline at the end", "[core]\n\tbare = true"],
    ["repeated keys", "[a]\n\tb = 1\n[c]\n\td = 2\n[a]\n\tb = 3\n"],
    ["an unclosed section", "[core\n\tbare = true\n"],
    ["a key before any section", "bare = true\n"],
    ["an unclosed quote", '[a]\n\tb = "x\n'],
    ["an unknown escape", "[a]\n\tb = \\q\n"],
    ["a bad name", "[a]\n\t1b = x\n"],
    ["two names", "[a]\n\tb c\n"],
    ["other scripts", '[branch "größe/日本"]\n\tremote = ürsprung\n'],
  ])("%s", (_name, text) => {
    expect(parseConfig(text)).toEqual(fromGit(text));
  });

  it("whatever values git itself writes", () => {
    const value = fc.string({
      unit: fc.constantFrom("a", " ", "\t", '"', "\\", "#", ";", "=", "[", "]", "ü", "\n"),
    });
    fc.assert(
      fc.property(value, (text) => {
        const path = join(base, "written");
        writeFileSync(path, "");
        git(base, "config", "--file", path, "section.Sub.name", text);
        const written = git(base, "config", "--file", path, "--null", "--get", "section.Sub.name").split(
          "\0",
        )[0];
        expect(written).toBe(text);
        const entries = parseConfig(readFileSync(path, "utf8")) ?? [];
        expect(lastValue(entries, "section.Sub.name")).toBe(text);
      }),
      { numRuns: 40 },
    );
  });

  it("accepts and refuses like git, whatever the pieces are put together to", () => {
    const piece = fc.constantFrom(
      "[a]",
      '[a "b"]',
      "[a.B]",
      "\n",
      "\r\n",
      " ",
      "\t",
      "k",
      "k2",
      "=",
      '"',
      "\\",
      "#",
      ";",
      "x",
      "ü",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const text = pieces.join("");
        expect(withBlanks(parseConfig(text))).toEqual(withBlanks(fromGit(text)));
      }),
      { numRuns: 80 },
    );
  });

  it("never throws and always ends, whatever the file holds", () => {
    const junk = fc.string({
      unit: fc.constantFrom("[", "]", '"', "\\", "=", "#", ";", "\n", "\r", "\t", " ", "a", "."),
    });
    fc.assert(
      fc.property(junk, (text) => {
        expect(() => parseConfig(text)).not.toThrow();
      }),
    );
  });
});

describe("asBoolean", () => {
  it.each([
    [null, true],
    ["", false],
    ["TRUE", true],
    ["yes", true],
    ["on", true],
    ["1", true],
    ["-1", true],
    ["2k", true],
    ["0", false],
    ["off", false],
    ["No", false],
    ["maybe", undefined],
  ])("%s is %s", (value, expected) => {
    expect(asBoolean(value)).toBe(expected);
  });
});
