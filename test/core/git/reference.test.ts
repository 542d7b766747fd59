import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readReference } from "../../../src/core/git/reference.ts";
import { listWorktrees } from "../../../src/core/git/worktrees.ts";
import { commit, git, initRepository, pathWithGit, repositoryAt, temporaryDirectory } from "./sandbox.ts";

const base = temporaryDirectory();

describe("readReference", () => {
  it("reads branches, remote branches and symbolic ones, loose and packed, from any worktree", () => {
    const path = initRepository(join(base, "plain"));
    const first = commit(path, "first");
    git(path, "branch", "topic/x");
    git(path, "update-ref", "refs/remotes/origin/main", first);
    git(path, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
    git(path, "worktree", "add", "-q", "--detach", join(base, "linked"));
    commit(join(base, "linked"), "further");
    for (const packed of [false, true]) {
      if (packed) git(path, "pack-refs", "--all");
      for (const directory of [path, join(base, "linked")]) {
        const repository = repositoryAt(directory);
        expect(readReference(repository, "refs/heads/topic/x")).toBe(first);
        expect(readReference(repository, "refs/remotes/origin/HEAD")).toBe(first);
        expect(readReference(repository, "refs/heads/topic")).toBeUndefined();
        expect(readReference(repository, "refs/heads/never")).toBeUndefined();
      }
    }
  });

  it.each(["../../../etc/passwd", "refs/heads/../../../x", "--all", "refs/heads/a b", ""])(
    "finds nothing by the name %j",
    (name) => {
      expect(readReference(repositoryAt(join(base, "plain")), name)).toBeUndefined();
    },
  );

  /** Simulated: git before 2.45 makes no reftable repository. */
  it("asks git where references are not files, worktrees' HEADs included", () => {
    const path = initRepository(join(base, "table"));
    commit(path, "first");
    git(path, "worktree", "add", "-q", "--detach", join(base, "table-linked"));
    const config = readFileSync(join(path, ".git/config"), "utf8");
    writeFileSync(join(path, ".git/config"), `${config}[extensions]\n\trefstorage = reftable\n`);
    for (const gitDir of [join(path, ".git"), join(path, ".git/worktrees/table-linked")]) {
      writeFileSync(join(gitDir, "HEAD"), "ref: refs/heads/.invalid\n");
    }
    const id = "b".repeat(40);
    const script = `case "$*" in *symbolic-ref*) echo "refs/heads/$(basename "$PWD")";; *) echo ${id};; esac`;
    const repository = repositoryAt(path, { PATH: pathWithGit(join(base, "answering"), script) });
    expect(readReference(repository, "refs/heads/main")).toBe(id);
    expect(listWorktrees(repository).map(({ branch, commit: at }) => [branch, at])).toEqual([
      ["table", id],
      ["table-linked", id],
    ]);
  });
});
