import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseClosedSession } from "../../../src/core/records/closed-session.ts";
import { rewriteClosedSession } from "../../../src/core/records/session-rewrite.ts";
import { edited, ORIGINAL_SESSIONS, textsOf } from "./fixtures.ts";

const originals = textsOf(ORIGINAL_SESSIONS, ".md");
const [closedText, recoveredText, divergedText] = originals.map(([, text]) => text) as [
  string,
  string,
  string,
];

function rewritten(source: string, changes: Parameters<typeof rewriteClosedSession>[1]): string {
  const outcome = rewriteClosedSession(source, changes);
  if (!outcome.ok) throw new Error(outcome.error);
  return outcome.value;
}

describe("rewriteClosedSession", () => {
  test.each(originals)("without changes, and with what %s already says, changes no byte", (_, source) => {
    const record = parseClosedSession(source);
    if (!record.ok) throw new Error(record.error);
    const { changed_files = [], commits = [], body } = record.value;
    expect(rewritten(source, {})).toBe(source);
    expect(rewritten(source, { commits, body, ...(changed_files.length > 0 ? { changed_files } : {}) })).toBe(
      source,
    );
  });

  test("changes the two lists and the body, and nothing else", () => {
    const changes = {
      changed_files: ["lib/new.ts", "a: b"],
      commits: ["1111111", "2222222"],
      body: "One.\n",
    };
    let expected = edited(
      closedText,
      "  - lib/callback.ts\n  - test/callback.test.ts\n",
      '  - lib/new.ts\n  - "a: b"\n',
    );
    expected = edited(expected, '  - "4ba1099"\n  - "b9469a9"\n', '  - "1111111"\n  - "2222222"\n');
    expected = edited(expected, "The callback is normalised before it is compared.\n", "One.\n");
    expect(rewritten(closedText, changes)).toBe(expected);
  });

  test("fills a list that was empty in either way of writing it", () => {
    expect(rewritten(divergedText, { changed_files: ["x"] })).toBe(
      edited(divergedText, "changed_files:\n", "changed_files:\n  - x\n"),
    );
    expect(rewritten(recoveredText, { changed_files: ["x"], commits: ["1111111"] })).toBe(
      edited(
        edited(recoveredText, "changed_files: []\n", "changed_files:\n  - x\n"),
        "commits: []\n",
        'commits:\n  - "1111111"\n',
      ),
    );
  });

  test("puts an absent list where the format has it", () => {
    const bare = edited(edited(recoveredText, "changed_files: []\n", ""), "commits: []\n", "");
    expect(rewritten(bare, { changed_files: ["x"], commits: ["1111111"] })).toBe(
      edited(
        edited(recoveredText, "changed_files: []\n", "changed_files:\n  - x\n"),
        "commits: []\n",
        'commits:\n  - "1111111"\n',
      ),
    );
  });

  test("keeps what it does not know, comments and CRLF", () => {
    const unknown = edited(closedText, "evidence: []\n", "evidence: []\nbudget: 3 # later\n# a comment\n");
    const windows = unknown.replaceAll("\n", "\r\n");
    expect(parseClosedSession(windows)).toMatchObject({ ok: false, error: "unknown key budget" });
    expect(rewritten(windows, { commits: ["1111111"], body: "One.\r\n" })).toBe(
      edited(
        edited(unknown, '  - "4ba1099"\n  - "b9469a9"\n', '  - "1111111"\n'),
        "The callback is normalised before it is compared.\n",
        "One.\n",
      ).replaceAll("\n", "\r\n"),
    );
  });

  test("keeps a byte order mark, and a body that never was", () => {
    const source = `\ufeff${divergedText.slice(0, -"\n\n".length)}`;
    expect(rewritten(source, { body: "One.\n" })).toBe(`${source}\n\nOne.\n`);
  });

  test.each([
    ["no front matter", "text", { body: "x" }, "no front matter"],
    [
      "a head that is not flat",
      edited(closedText, "title:", "nested:\n  a: 1\ntitle:"),
      { commits: ["1"] },
      "commits:",
    ],
    ["too long a body", closedText, { body: "x".repeat(1024 * 1024) }, "larger than"],
    [
      "too many paths",
      closedText,
      { changed_files: Array.from({ length: 40_000 }, (_, index) => `${"long/".repeat(6)}${index}`) },
      "paths too many",
    ],
  ])("refuses %s", (_, source, changes, reason) => {
    expect(rewriteClosedSession(source, changes)).toMatchObject({
      ok: false,
      error: expect.stringContaining(reason),
    });
  });

  test("whatever the lists and the body are, they read back, and the rest is as it was", () => {
    const values = fc.array(fc.string({ unit: "binary" }).map((value) => value.replaceAll(/[\r\n]/g, "")));
    fc.assert(
      fc.property(
        fc.constantFrom(...originals),
        values,
        values,
        fc.string(),
        ([, source], files, commits, text) => {
          const body = `.${text}`;
          const before = parseClosedSession(source);
          const after = parseClosedSession(rewritten(source, { changed_files: files, commits, body }));
          expect(after).toEqual({
            ok: true,
            value: { ...(before.ok ? before.value : {}), changed_files: files, commits, body },
          });
        },
      ),
    );
  });
});
