import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { injectFaults } from "../../../src/core/fs/fault.ts";
import { newestRecords } from "../../../src/core/records/work-record-store.ts";
import { formatWorkRecord } from "../../../src/core/records/work-record.ts";
import { scratchDirectory } from "../../support/scratch.ts";

const AN_HOUR_AGO = Date.now() / 1000 - 3600;

/** A store of many records, some of them none, all written long ago. */
function store(): { directory: string; memory: string; put: (name: string, text: string) => void } {
  const root = scratchDirectory();
  const directory = join(root, "handovers");
  mkdirSync(directory);
  const put = (name: string, text: string): void => {
    writeFileSync(join(directory, name), text);
    utimesSync(join(directory, name), AN_HOUR_AGO, AN_HOUR_AGO);
  };
  for (let number = 0; number < 90; number += 1) put(`${number}.md`, record(number));
  put("broken.md", "---\nschema_version: 1\n---\n");
  put("README.md", "---\nschema: context/v1\nkind: context\n---\n");
  return { directory, memory: join(root, "cache", "memory.json"), put };
}

function record(number: number): string {
  return formatWorkRecord({
    created_at: `2026-09-04T12:00:${String(number % 60).padStart(2, "0")}Z`,
    task_id: number % 2 === 0 ? "none" : `t-${number}`,
    profile: "p",
    owner: "o",
    repository_id: "/srv/.git",
    worktree: "/srv",
    branch: "main",
    head: "a".repeat(40),
    changed_files: ["x"],
    body: `Body ${number}\n`,
  });
}

const seen = (directory: string, memory?: string) => {
  const { candidates, skipped } = newestRecords(directory, () => -1, memory);
  return {
    candidates: candidates.map(({ name, taskId, branch, createdAt, record: whole }) => ({
      name,
      taskId,
      branch,
      createdAt,
      whole,
    })),
    skipped,
  };
};

/** How many files of the store are opened meanwhile. */
function opened(directory: string, action: () => void): number {
  let count = 0;
  injectFaults({
    before: (operation, path) => {
      if (operation === "open" && path.startsWith(`${directory}/`)) count += 1;
    },
  });
  try {
    action();
  } finally {
    injectFaults(undefined);
  }
  return count;
}

describe("what many records were found to be", () => {
  it("is remembered, and gives the same as reading them all", () => {
    const { directory, memory } = store();
    const read = seen(directory);
    expect(seen(directory, memory)).toEqual(read);
    expect(existsSync(memory)).toBe(true);
    expect(seen(directory, memory)).toEqual(read);
    const heads = (): string[] =>
      newestRecords(directory, () => -1, memory).candidates.map(({ head }) => head);
    expect(opened(directory, () => expect(new Set(heads())).toEqual(new Set(["a".repeat(40)])))).toBe(0);
    const { candidates } = newestRecords(directory, () => -1, memory);
    expect(opened(directory, () => expect(candidates[0]?.record.body).toMatch(/^Body/))).toBe(1);
  });

  it("is forgotten of a file that changed, went or came", () => {
    const { directory, memory, put } = store();
    seen(directory, memory);
    put("0.md", record(7).replace("branch: main", "branch: side"));
    rmSync(join(directory, "1.md"));
    put("100.md", record(58));
    expect(seen(directory, memory)).toEqual(seen(directory));
  });

  it("is not believed of a file that was written right before", () => {
    const { directory, memory } = store();
    writeFileSync(join(directory, "fresh.md"), record(3));
    seen(directory, memory);
    expect(opened(directory, () => newestRecords(directory, () => -1, memory))).toBe(1);
  });

  it.each(["", "{", "[]", '{"version":"other","entries":{}}'])("is ignored when it is %j", (text) => {
    const { directory, memory } = store();
    mkdirSync(join(memory, ".."));
    writeFileSync(memory, text);
    expect(seen(directory, memory)).toEqual(seen(directory));
  });

  it("is ignored entry by entry when it was tampered with", () => {
    const { directory, memory } = store();
    seen(directory, memory);
    const value = JSON.parse(readFileSync(memory, "utf8")) as { entries: Record<string, unknown[]> };
    const entry = (name: string): unknown[] => value.entries[name] ?? [];
    entry("1.md")[3] = { record: { branch: 1 } };
    entry("2.md")[3] = null;
    entry("3.md")[3] = { skipped: 3 };
    value.entries["4.md"] = [];
    writeFileSync(memory, JSON.stringify(value));
    expect(seen(directory, memory)).toEqual(seen(directory));
  });

  it("of a record that went meanwhile is all that it still says", () => {
    const { directory, memory } = store();
    seen(directory, memory);
    const { candidates } = newestRecords(directory, () => -1, memory);
    rmSync(directory, { recursive: true });
    expect(candidates[0]?.record).toMatchObject({ branch: "main", body: "", changed_files: [] });
  });

  it("is kept neither of few records nor where it cannot be", () => {
    const { directory, memory } = store();
    mkdirSync(memory, { recursive: true });
    expect(seen(directory, memory)).toEqual(seen(directory));
    rmSync(memory, { recursive: true });
    for (let number = 40; number < 90; number += 1) rmSync(join(directory, `${number}.md`));
    seen(directory, memory);
    expect(existsSync(memory)).toBe(false);
  });
});
