import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseTask, readTask } from "../../../src/core/records/task.ts";
import { ORIGINAL_STATE, temporaryDirectory } from "./fixtures.ts";

const path = join(ORIGINAL_STATE, "current.yaml");

describe("a task", () => {
  test("of the original is read", () => {
    expect(readTask(path)).toEqual({
      ok: true,
      value: {
        id: "t-20260906120100-c0de",
        task: "split the parser",
        profile: "debugging",
        owner: "dev",
        scope: ["lib"],
        started_at: "2026-09-06T12:01:00Z",
        checkpoint_at: "2026-09-06T12:30:00Z",
        outcome: "active",
        repository_id: "/srv/app/.git",
        worktree: "/srv/app",
        branch: "main",
        head: "a358be64356a070bfe9d94868250efa32b49858b",
        working_tree: "clean",
      },
    });
  });

  test("keeps what was typed, and leaves unknown keys alone", () => {
    const parsed = parseTask(
      'id: t-1\ntask: fix: the "parser"\ntitle: "a \\"b\\""\noutcome: blocked\nscope:\nlater: 1\n',
    );
    expect(parsed).toMatchObject({
      value: { task: 'fix: the "parser"', title: 'a "b"', scope: [], owner: "" },
    });
  });

  test.each([
    ["outcome: active\n", "id: missing"],
    ["id: ../x\noutcome: active\n", "id: not a task id (../x)"],
    [
      "id: t-1\noutcome: done\n",
      "outcome: not active or completed or partial or blocked or no_match or failed or handed_over (done)",
    ],
    ["id: t-1\noutcome: active\nscope: lib\n", "scope: not a list (lib)"],
  ])("%j is refused: %s", (source, reason) => {
    expect(parseTask(source)).toEqual({ ok: false, error: reason });
  });

  test("none is told apart from one that cannot be read", () => {
    const directory = temporaryDirectory();
    expect(readTask(join(directory, "absent"))).toMatchObject({ error: { kind: "absent" } });
    mkdirSync(join(directory, "folder"));
    expect(readTask(join(directory, "folder"))).toMatchObject({ error: { kind: "invalid" } });
    symlinkSync(path, join(directory, "link"));
    expect(readTask(join(directory, "link"))).toMatchObject({ error: { kind: "invalid" } });
    writeFileSync(join(directory, "broken"), "half a");
    expect(readTask(join(directory, "broken"))).toMatchObject({ error: { kind: "invalid" } });
  });
});
