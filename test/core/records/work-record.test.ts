import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { WorkRecord } from "../../../src/core/records/work-record.ts";
import { newestRecords } from "../../../src/core/records/work-record-store.ts";
import {
  findIdentityLine,
  formatWorkRecord,
  parseWorkRecord,
} from "../../../src/core/records/work-record.ts";
import { edited, ORIGINAL_SESSIONS, ORIGINAL_STATE, temporaryDirectory, textsOf } from "./fixtures.ts";

const handovers = textsOf(join(ORIGINAL_STATE, "handovers"), ".md");
const checkpoints = textsOf(join(ORIGINAL_STATE, "checkpoints"), ".md");
const handover = handovers[0]?.[1] ?? "";

const record: WorkRecord = {
  created_at: "2026-09-04T17:10:00Z",
  task_id: "none",
  profile: "none",
  owner: "dev",
  repository_id: "/srv/app/.git",
  worktree: "/srv/app",
  branch: "main",
  head: "b9469a95e64ad83017429739bd95b527100cdfec",
  working_tree: "clean",
  changed_files: [],
  body: "# Next Action\nGo on.\n",
};

describe("a handover or checkpoint", () => {
  test.each([...handovers, ...checkpoints])(
    "%s of the original is read and written byte for byte",
    (_, original) => {
      const parsed = parseWorkRecord(original);
      expect(parsed.ok && formatWorkRecord(parsed.value)).toBe(original);
    },
  );

  test("that came from another machine keeps what says so", () => {
    const resumed: WorkRecord = {
      ...record,
      owner: "continuity:abc",
      worktree: "continuity:abc",
      continuity_record: "0123456789abcdef0123456789abcdef",
      continuity_device: "abc",
      issue: "I0042",
    };
    const written = formatWorkRecord(resumed);
    expect(written).toContain(
      'changed_files:\ncontinuity_record: 0123456789abcdef0123456789abcdef\ncontinuity_device: abc\nissue: "I0042"\n---\n',
    );
    expect(parseWorkRecord(written)).toEqual({ ok: true, value: resumed });
  });

  test("paths come back exactly, whatever a file is called", () => {
    const path = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("日本.ts", 'a "b".ts', "two\nlines", " x"),
    );
    fc.assert(
      fc.property(fc.array(path), fc.string(), (changed_files, body) => {
        const given = { ...record, changed_files, body: `.${body}` };
        expect(parseWorkRecord(formatWorkRecord(given))).toEqual({ ok: true, value: given });
      }),
    );
  });

  test("ignores keys that it does not know, and reads a time that it cannot judge", () => {
    const later = edited(handover, "branch: main\n", "branch: main\nmood: fine\n");
    expect(parseWorkRecord(edited(later, "2026-09-04T17:10:00Z", "last week"))).toMatchObject({
      value: { branch: "main", created_at: "last week" },
    });
  });

  test.each([
    [
      "schema_version: 1\n",
      "schema_version: 2\n",
      "schema_version: 2 is not 1, the one that this version reads",
    ],
    ["schema_version: 1\n", "", "schema_version: missing is not 1, the one that this version reads"],
    [/created_at: .*\n/, "", "created_at: missing"],
    [/head: .*\n/, "", "head: missing"],
    [/head: .*\n/, "head:\n", "head: not an allowed value ()"],
    ["working_tree: clean", "working_tree: odd", "working_tree: not clean or dirty (odd)"],
    ["changed_files:\n", "changed_files: x\n", "changed_files: not a list (x)"],
  ])("with %j as %j it is refused: %s", (from, to, reason) => {
    expect(parseWorkRecord(handover.replace(from, to))).toEqual({ ok: false, error: reason });
  });

  test("a body too large to be read again is never written", () => {
    expect(() => formatWorkRecord({ ...record, body: "x".repeat(1024 * 1024) })).toThrow(/larger than/);
  });
});

describe("findIdentityLine", () => {
  test.each(["head: x", "fine\nworktree: /x", "fine\nchanged_files:", "a\n\nbranch:main"])(
    "finds it in %j",
    (body) => {
      expect(body.split("\n")).toContain(findIdentityLine(body));
    },
  );

  test.each(["", "the head: x", " head: x", "owner: x", "heads: x", "# branch: x"])(
    "lets %j pass",
    (body) => {
      expect(findIdentityLine(body)).toBeUndefined();
    },
  );
});

function at(createdAt: string): string {
  return formatWorkRecord({ ...record, created_at: createdAt });
}

describe("newestRecords", () => {
  test("orders by time, then by ledger rank, and puts what has no readable time last", () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, "a.md"), at("2026-09-04T17:10:00Z"));
    writeFileSync(join(directory, "b.md"), at("2026-09-05T17:10:00Z"));
    writeFileSync(join(directory, "c.md"), at("2026-09-05T17:10:00Z"));
    writeFileSync(join(directory, "d.md"), at("zzzz"));
    const ranks = new Map([
      ["b.md", 7],
      ["c.md", 3],
    ]);
    const { candidates, skipped } = newestRecords(directory, (name) => ranks.get(name) ?? 0);
    expect(candidates.map(({ name, rank }) => [name, rank])).toEqual([
      ["b.md", 7],
      ["c.md", 3],
      ["a.md", 0],
      ["d.md", 0],
    ]);
    expect(skipped).toEqual([]);
  });

  test("gives resolution what it weighs; a record outside any task has no task id", () => {
    const directory = temporaryDirectory();
    cpSync(join(ORIGINAL_STATE, "handovers"), directory, { recursive: true });
    writeFileSync(join(directory, "x.md"), at("2026-01-01T00:00:00Z"));
    const { candidates } = newestRecords(directory, () => -1);
    expect(candidates[0]).toMatchObject({
      path: join(directory, handovers[0]?.[0] ?? ""),
      repositoryId: "/srv/app/.git",
      worktree: "/srv/app",
      branch: "main",
      createdAt: "2026-09-04T17:10:00Z",
      rank: -1,
      taskId: "t-20260904153800-0a1b",
    });
    expect(candidates[1]).not.toHaveProperty("taskId");
  });

  test("passes by context documents and half-published files, and skips other kinds with a reason", () => {
    const directory = temporaryDirectory();
    cpSync(ORIGINAL_SESSIONS, directory, { recursive: true });
    writeFileSync(join(directory, ".tmp.x1"), "half");
    const { candidates, skipped } = newestRecords(directory, () => 0);
    expect(candidates).toEqual([]);
    expect(skipped.map(({ reason }) => reason)).toEqual(
      Array.from({ length: 3 }, () => "schema_version: missing is not 1, the one that this version reads"),
    );
  });
});
