import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDocument } from "yaml";
import type { ClosedSession } from "../../../src/core/records/closed-session.ts";
import { formatClosedSession, parseClosedSession } from "../../../src/core/records/closed-session.ts";
import { splitFrontMatter } from "../../../src/core/text/split-front-matter.ts";
import { edited, ORIGINAL_SESSIONS, textsOf } from "./fixtures.ts";

const originals = textsOf(ORIGINAL_SESSIONS, ".md");
const [closedText, recoveredText, divergedText] = originals.map(([, text]) => text) as [
  string,
  string,
  string,
];

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom('say "no"', "a: b", "- x", "1.10"),
);
const oneLine = text.map((value) => value.replaceAll(/[\r\n]/g, ""));
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const list = optional(fc.array(oneLine, { maxLength: 3 }));
const timestamp = fc.constantFrom("2026-09-04T15:37:33Z", "2026-09-04T17:14:02Z");
const tree = optional(fc.constantFrom("clean" as const, "dirty" as const));

const anyRecord = fc
  .record({
    schema: fc.constant("session/v1" as const),
    kind: fc.constant("session" as const),
    created_at: optional(timestamp),
    task_id: optional(text),
    profile: optional(text),
    repository_id: optional(text),
    worktree_id: fc.constant("dae668e4084f07b6"),
    branch: optional(text),
    head: optional(fc.constantFrom("NONE", "7".repeat(40), "b9469a95e64ad83017429739bd95b527100cdfec")),
    working_tree: tree,
    changed_files: optional(fc.array(text, { maxLength: 3 })),
    changed_files_excluded: optional(fc.nat(1000)),
    changed_files_excluded_by: optional(fc.array(oneLine, { minLength: 1, maxLength: 2 })),
    session_id: fc.constantFrom("s-20260904153733-fc51", "s-dup-0001"),
    started_at: timestamp,
    closed_at: timestamp,
    outcome: fc.constantFrom("closed" as const, "interrupted" as const),
    title: optional(oneLine),
    worker: optional(oneLine),
    start_head: optional(text),
    start_working_tree: tree,
    commits: list,
    tasks: list,
    issues: list,
    milestones: list,
    checkpoints: list,
    handovers: list,
    decisions: list,
    questions: list,
    evidence: list,
    body: text.filter((body) => !/^\r?\n/.test(body)),
  })
  .map(
    (fields) =>
      Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as ClosedSession,
  );

/** As an oracle reads it: every scalar is text, and a bare key is the empty text. */
function readByYaml(document: string): unknown {
  const split = splitFrontMatter(document);
  if (!split.ok) throw new Error(split.error);
  const parsed = parseDocument(split.value.head, { schema: "failsafe" });
  expect([...parsed.errors, ...parsed.warnings]).toEqual([]);
  return parsed.toJS();
}

describe("a closed session", () => {
  test.each(originals)("%s of the original is read and written byte for byte", (_, original) => {
    const record = parseClosedSession(original);
    expect(record.ok && formatClosedSession(record.value)).toBe(original);
  });

  test("the original's values are read as they were meant", () => {
    expect(parseClosedSession(closedText)).toMatchObject({
      value: {
        title: "fix the callback",
        changed_files: ["lib/callback.ts", "test/callback.test.ts"],
        commits: ["4ba1099", "b9469a9"],
        decisions: ['Say "no" to a second cache'],
        issues: [],
        body: "The callback is normalised before it is compared.\n",
      },
    });
    const recovered = parseClosedSession(recoveredText);
    expect(recovered.ok && ["head" in recovered.value, "working_tree" in recovered.value]).toEqual([
      false,
      false,
    ]);
    expect(parseClosedSession(divergedText)).toMatchObject({
      value: { changed_files: [], commits: ["diverged"], body: "" },
    });
  });

  test("every record comes back as it was written, from us and from real YAML", () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const written = formatClosedSession(record);
        expect(parseClosedSession(written)).toEqual({ ok: true, value: record });
        const { body: _, ...fields } = record;
        const asText = {
          ...fields,
          ...(record.changed_files?.length === 0 && record.head !== undefined ? { changed_files: "" } : {}),
          ...(record.changed_files_excluded === undefined
            ? {}
            : { changed_files_excluded: String(record.changed_files_excluded) }),
        };
        expect(readByYaml(written)).toEqual(asText);
      }),
    );
  });

  test("CRLF, as git may check it out, changes no value", () => {
    const record = parseClosedSession(closedText.replaceAll("\n", "\r\n"));
    const original = parseClosedSession(closedText);
    expect(record.ok && original.ok && { ...record.value, body: "" }).toEqual(
      original.ok && { ...original.value, body: "" },
    );
  });

  test("of too many changed files the rest is counted, and the record can still be read", () => {
    const record = parseClosedSession(closedText);
    if (!record.ok) throw new Error(record.error);
    const paths = Array.from({ length: 40_000 }, (_, index) => `src/${"deep/".repeat(6)}file-${index}.ts`);
    const written = formatClosedSession({ ...record.value, changed_files: paths });
    expect(Buffer.byteLength(written)).toBeLessThan(1024 * 1024);
    const back = parseClosedSession(written);
    if (!back.ok) throw new Error(back.error);
    const kept = back.value.changed_files ?? [];
    expect(kept).toEqual(paths.slice(0, kept.length));
    expect(kept.length + (back.value.changed_files_excluded ?? 0)).toBe(paths.length);
  });

  test("one that nobody could read is never written", () => {
    const record = parseClosedSession(closedText);
    if (!record.ok) throw new Error(record.error);
    const huge = { ...record.value, body: "x".repeat(1024 * 1024) };
    expect(() => formatClosedSession(huge)).toThrow(/larger than 1048576 bytes/);
  });

  test.each([
    [
      "schema: session/v1",
      "schema: session/v2",
      "schema: session/v2 is not session/v1, the one that this version reads",
    ],
    ["kind: session\n", "kind: other\n", "kind: not session (other)"],
    ["kind: session\n", "", "kind: missing"],
    ["outcome: closed", "outcome: lost", "outcome: not closed or interrupted (lost)"],
    ["closed_at: 2026-09-04T17:14:02Z\n", "", "closed_at: missing"],
    [
      "started_at: 2026-09-04T15:37:33Z",
      "started_at: yesterday",
      "started_at: not a UTC timestamp (yesterday)",
    ],
    ["session_id: s-20260904153733-fc51", "session_id: ../x", "session_id: not a session id (../x)"],
    ["worktree_id: dae668e4084f07b6", "worktree_id: /srv", "worktree_id: not an allowed value (/srv)"],
    ["working_tree: dirty", "working_tree: odd", "working_tree: not clean or dirty (odd)"],
    ["issues: []", "issues: I0042", "issues: not a list (I0042)"],
    ["issues: []", "issues: []\nbudget: 3", "unknown key budget"],
    ["issues: []", "issues: []\n__proto__: x", "unknown key __proto__"],
    ["issues: []", "issues: []\nbranch: other", "line 29 (branch): the key stands twice"],
    ["branch: main", "branch: ma\0in", "line 9 (branch): a NUL character"],
    ["branch: main", "branch: {a: b}", "line 9 (branch): not a plain value, a quoted value or a list"],
  ])("with %j as %j it is refused: %s", (from, to, reason) => {
    expect(parseClosedSession(edited(closedText, from, to))).toEqual({ ok: false, error: reason });
  });

  test("the reason follows the path where one is given, and shows nothing raw", () => {
    const broken = edited(closedText, "outcome: closed", "outcome: \u001b]52;c;x\u0007");
    expect(parseClosedSession(broken, "a.md")).toEqual({
      ok: false,
      error: "a.md: outcome: not closed or interrupted (␛]52;c;x␇)",
    });
  });

  test("accepts what later versions add", () => {
    const later = edited(
      closedText,
      "session_id:",
      "changed_files_excluded: 3\nchanged_files_excluded_by:\n  - policy-projection=3\nsession_id:",
    );
    const record = parseClosedSession(later);
    expect(record).toMatchObject({
      value: { changed_files_excluded: 3, changed_files_excluded_by: ["policy-projection=3"] },
    });
    expect(record.ok && formatClosedSession(record.value)).toBe(later);
  });
});
