import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formatOpenQuestion,
  formatResolvedQuestion,
  knownQuestions,
  parseQuestions,
  readQuestions,
} from "../../../src/core/records/questions.ts";
import { ORIGINAL_STATE, temporaryDirectory } from "./fixtures.ts";

const original = readFileSync(join(ORIGINAL_STATE, "open-questions.md"), "utf8");
const open = {
  task: "t-20260906120100-c0de",
  question: "refresh window: 15 or 60 minutes?",
  date: "2026-09-06",
};
const resolved = {
  task: "t-20260904153800-0a1b",
  question: "Which port?",
  answer: "8741, else a free one",
  date: "2026-09-04",
};

describe("the question index", () => {
  test("of the original is read, its template ignored, and each line is written as it was", () => {
    expect(parseQuestions(original)).toEqual({ open: [open], resolved: [resolved], malformed: [] });
    expect(original).toContain(`\n${formatOpenQuestion(open)}\n`);
    expect(original).toContain(`\n${formatResolvedQuestion(resolved)}\n`);
    expect(parseQuestions(original.replaceAll("\n", "\r\n"))).toEqual(parseQuestions(original));
  });

  test("an answer may hold the separator and a question a bracket", () => {
    const line = formatResolvedQuestion({ ...resolved, answer: "a — b", question: "x (2026-01-01)" });
    expect(parseQuestions(line).resolved).toEqual([
      { ...resolved, answer: "a — b", question: "x (2026-01-01)" },
    ]);
  });

  test.each([
    "- [ ] a task list",
    "- [unresolved] t-1 — no date",
    "- [unresolved] — no task (2026-01-01)",
    "- [unresolved] t-1 — two — parts (2026-01-01)",
    "- [unresolved] t-1 - a hyphen (2026-01-01)",
    "- [unresolved]  t-1 — q (2026-01-01)",
    "- [unresolved] t-1  — q (2026-01-01)",
    "- [unresolved] t-1\u00a0 — q (2026-01-01)",
    "- [unresolved] t-1 t-2 — q (2026-01-01)",
    "- [unresolved] t-1 —   (2026-01-01)",
    "- [resolved 2026-01-01]  t-1 — q — a",
    "- [resolved 2026-01-01] t-1 — q —  ",
    "- [resolved] t-1 — q — a",
    "- [resolved 2026-01-01] t-1 — no answer",
    "- [Unresolved] t-1 — q (2026-01-01)",
    " - [unresolved] t-1 — q (2026-01-01)",
    "\t- [unresolved] t-1 — q (2026-01-01)",
    "* [unresolved] t-1 — q (2026-01-01)",
    "+ [unresolved] t-1 — q (2026-01-01)",
    "-[unresolved] t-1 — q (2026-01-01)",
    "-  [unresolved] t-1 — q (2026-01-01)",
    "– [ unresolved ] t-1 — q (2026-01-01)",
    "1. [unresolved] t-1 — q (2026-01-01)",
    "> - [unresolved] t-1 — q (2026-01-01)",
    "[unresolved] t-1 — q (2026-01-01)",
    "* [resolved 2026-01-01] t-1 — q — a",
    "\ufeff- [unresolved] t-1 — q (2026-01-01)",
    "an old line end\r- [unresolved] t-1 — q (2026-01-01)",
    "* [unresolved] which port?",
    "  +[ Resolved 2026-01-01 ] t-1",
    "* [unresolved t-1 — q (2026-01-01)",
    // By the format's own rule, whatever it is.
    "- [resolved](docs/x.md) is where answers go",
  ])("%s is malformed, with its line number", (line) => {
    expect(parseQuestions(`# x\n\n${line}\n`)).toEqual({
      open: [],
      resolved: [],
      malformed: [{ line: 3, text: line }],
    });
  });

  test("a sentence about questions, or another bracket, is none", () => {
    for (const line of ["See [unresolved] below.", "[the index](x.md)", "  - [x] done", "## Resolved"]) {
      expect(parseQuestions(`${line}\n`).malformed, line).toEqual([]);
    }
  });

  test.each([
    "`[unresolved]` marks an open one",
    "`[unresolved]` — marks an open one",
    "[resolved]: https://example.org",
    "[unresolved]",
    "| [resolved] | table |",
    "1. [unresolvable dep](http://a)",
    "1. [unresolved](http://a) — the older list",
    "- **[resolved]** bold",
    "*[unresolved]* — stressed",
    "* [resolved](docs/x.md) is where answers go",
    "+ [unresolved][1] is explained there",
    "  - [resolution](docs/x.md)",
    "* [unresolved-old] is a branch",
  ])("%s is prose", (line) => {
    expect(parseQuestions(`# x\n\n${line}\n`)).toEqual({ open: [], resolved: [], malformed: [] });
  });

  test.each(["\r", " ", " - [resolved\r", "* [unresolved", "[resolved] x"])(
    "a line that repeats %j is judged in one pass",
    (part) => {
      const read = parseQuestions(`${part.repeat(200_000)}[`);
      expect([read.open, read.resolved]).toEqual([[], []]);
    },
  );

  test("comments keep the line numbers, and one that is never closed hides nothing", () => {
    const text = `<!-- a\n- [x]\n-->\n${formatOpenQuestion(open)} <!-- note -->\n- [bad\n<!-- open\n${formatOpenQuestion(open)}\n`;
    const questions = parseQuestions(text);
    expect(questions.open).toEqual([open]);
    expect(questions.malformed.map(({ line }) => line)).toEqual([4, 5, 6]);
  });

  test("every question that is written is read again", () => {
    const word = fc
      .string({ unit: fc.constantFrom(...Array.from('aé—-()[] :"')) })
      .map((text) => `q${text.replaceAll(" — ", " ")}q`)
      .filter((text) => !text.includes(" — "));
    fc.assert(
      fc.property(word, word, (question, answer) => {
        const given = { task: "none", question, date: "2026-01-01" };
        const text = `${formatOpenQuestion(given)}\n${formatResolvedQuestion({ ...given, answer })}\n`;
        expect(parseQuestions(text)).toEqual({
          open: [given],
          resolved: [{ ...given, answer }],
          malformed: [],
        });
      }),
    );
  });

  test("many comments that are never closed cost nothing", () => {
    expect(parseQuestions("<!--\n".repeat(300_000)).malformed).toHaveLength(300_000);
  });

  test("a file that is absent has none; one that cannot be read is a failure, and leaves a doubt", () => {
    const directory = temporaryDirectory();
    expect(readQuestions(join(directory, "absent.md"))).toEqual({
      ok: true,
      value: { open: [], resolved: [], malformed: [] },
    });
    mkdirSync(join(directory, "folder.md"));
    expect(readQuestions(join(directory, "folder.md"))).toMatchObject({ ok: false });
    expect(knownQuestions(join(directory, "folder.md"))).toEqual({
      open: [],
      doubt: "the question index cannot be read: is a directory, not a regular file",
    });
    writeFileSync(join(directory, "q.md"), original);
    expect(knownQuestions(join(directory, "q.md"))).toEqual({ open: [open], doubt: undefined });
    writeFileSync(join(directory, "q.md"), `${original}- [unresolvd] none — mistyped (2026-09-04)\n`);
    const { open: known, doubt } = knownQuestions(join(directory, "q.md"));
    expect(known).toEqual([open]);
    expect(doubt).toMatch(/^line \d+ of the question index is no question line: it may hide one$/);
  });
});
