import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseStatus, readWorkingTree } from "../../../src/core/git/status.ts";
import {
  commit,
  git,
  initRepository,
  pathWithGit,
  REAL_GIT,
  repositoryAt,
  temporaryDirectory,
} from "./sandbox.ts";

const base = temporaryDirectory();
let count = 0;

function fresh(files: Record<string, string> = { file: "1" }): string {
  count += 1;
  const path = initRepository(join(base, `r${count}`));
  commit(path, "first", files);
  return path;
}

describe("readWorkingTree", () => {
  it("is clean when nothing differs, and dirty before the first commit once there is a file", () => {
    expect(readWorkingTree(repositoryAt(fresh()))).toEqual({
      ok: true,
      value: { state: "clean", changed: [] },
    });
    const empty = initRepository(join(base, "empty"));
    expect(readWorkingTree(repositoryAt(empty))).toMatchObject({ ok: true, value: { state: "clean" } });
    writeFileSync(join(empty, "new"), "");
    expect(readWorkingTree(repositoryAt(empty))).toMatchObject({ ok: true, value: { changed: ["new"] } });
  });

  it("lists modified, staged, deleted, untracked and of a rename the new name, sorted by bytes", () => {
    const path = fresh({ modified: "1", deleted: "1", "old name": "a long enough content\n", staged: "1" });
    writeFileSync(join(path, "modified"), "2");
    writeFileSync(join(path, "staged"), "2");
    git(path, "add", "staged");
    git(path, "rm", "-q", "deleted");
    git(path, "mv", "old name", "Z new name");
    mkdirSync(join(path, "folder/deep"), { recursive: true });
    writeFileSync(join(path, "folder/deep/untracked"), "");
    const tree = readWorkingTree(repositoryAt(path));
    expect(tree.ok && tree.value.changed).toEqual(["Z new name", "deleted", "folder/", "modified", "staged"]);
  });

  it("gives every name back exactly: other scripts, quotes, arrows, newlines, blanks", () => {
    const names = [
      "日本.txt",
      'quo"te',
      "a -> b",
      "new\nline",
      " lead",
      "trail ",
      "tab\t",
      "\u{1F600}",
      "\uFB00",
      "-dash",
    ];
    const path = fresh();
    for (const name of names) writeFileSync(join(path, name), "x");
    const tree = readWorkingTree(repositoryAt(path));
    const sorted = names.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
    expect(tree.ok && tree.value.changed).toEqual(sorted);
  });

  it("names paths from the root also in a linked worktree and a submodule", () => {
    const path = fresh();
    const linked = join(base, "linked");
    git(path, "worktree", "add", "-q", "-b", "side", linked);
    writeFileSync(join(linked, "file"), "2");
    expect(readWorkingTree(repositoryAt(linked))).toMatchObject({ value: { changed: ["file"] } });
    expect(readWorkingTree(repositoryAt(path))).toMatchObject({ value: { state: "clean" } });
    const parent = fresh();
    git(parent, "submodule", "add", "-q", path, "module");
    commit(parent, "module");
    writeFileSync(join(parent, "module/file"), "2");
    expect(readWorkingTree(repositoryAt(join(parent, "module")))).toMatchObject({
      value: { changed: ["file"] },
    });
    expect(readWorkingTree(repositoryAt(parent))).toMatchObject({ value: { changed: ["module"] } });
  });

  it("does not depend on the user's settings", () => {
    const path = fresh();
    git(path, "config", "status.showUntrackedFiles", "no");
    git(path, "config", "status.short", "true");
    git(path, "config", "status.branch", "true");
    git(path, "config", "color.ui", "always");
    git(path, "config", "core.fsmonitor", "echo started > monitor-was-started; false");
    writeFileSync(join(path, "new"), "");
    expect(readWorkingTree(repositoryAt(path))).toMatchObject({ value: { changed: ["new"] } });
    expect(existsSync(join(path, "monitor-was-started"))).toBe(false);
  });

  it("works while the index is locked, and leaves the index alone", () => {
    const path = fresh();
    writeFileSync(join(path, ".git/index.lock"), "");
    // The file looks touched, which a refresh would note in the index.
    utimesSync(join(path, "file"), 1_700_000_000, 1_700_000_000);
    const before = [readFileSync(join(path, ".git/index")), statSync(join(path, ".git/index")).mtimeMs];
    expect(readWorkingTree(repositoryAt(path))).toMatchObject({ value: { state: "clean" } });
    expect([readFileSync(join(path, ".git/index")), statSync(join(path, ".git/index")).mtimeMs]).toEqual(
      before,
    );
    expect(existsSync(join(path, ".git/index.lock"))).toBe(true);
  });

  it("is one process", () => {
    const path = fresh();
    const log = join(base, "calls");
    const counting = pathWithGit(join(base, "counting"), `echo call >> '${log}'; exec ${REAL_GIT} "$@"`);
    readWorkingTree(repositoryAt(path, { PATH: counting }));
    expect(readFileSync(log, "utf8")).toBe("call\n");
  });

  it("says why when git cannot tell", () => {
    const path = fresh();
    writeFileSync(join(path, ".git/index"), "garbage");
    const tree = readWorkingTree(repositoryAt(path));
    expect(tree).toMatchObject({ ok: false, error: expect.stringContaining("index") as string });
  });
});

describe("parseStatus", () => {
  it("passes over the old path of a rename or copy, in either column", () => {
    expect(parseStatus("R  new\0old\0 C copy\0from\0?? other\0")).toEqual(["copy", "new", "other"]);
  });

  it("keeps an unmerged path once", () => {
    expect(parseStatus("UU both\0AM two\0")).toEqual(["both", "two"]);
  });
});
