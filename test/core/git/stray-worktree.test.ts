import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { strayWorktree } from "../../../src/core/git/stray-worktree.ts";
import { commit, git, initRepository, repositoryAt, temporaryDirectory } from "./sandbox.ts";

const base = temporaryDirectory();
const root = join(base, "main");

function strayAt(directory: string): string | undefined {
  const path = join(root, directory);
  mkdirSync(path, { recursive: true });
  return strayWorktree(repositoryAt(path), path);
}

beforeAll(() => {
  initRepository(root);
  commit(root, "first", { "src/worktrees/code.ts": "1" });
  git(root, "worktree", "add", "-q", "--detach", join(root, ".claude/worktrees/real"));
  git(root, "worktree", "add", "-q", "--detach", join(root, "build/my-worktrees/real"));
  git(root, "worktree", "add", "-q", "--detach", join(root, "worktree-in-the-root"));
});

describe("strayWorktree", () => {
  it.each([
    [".claude/worktrees/plain", ".claude/worktrees/plain"],
    [".claude/worktrees/plain/src/deep", ".claude/worktrees/plain"],
    [".worktrees/plain", ".worktrees/plain"],
    ["build/my-worktrees/plain", "build/my-worktrees/plain"],
  ])("finds %s", (directory, top) => {
    expect(strayAt(directory)).toBe(join(root, top));
  });

  it.each([
    ".",
    "src",
    "src/worktrees",
    "src/worktrees/folder",
    "worktree-notes",
    ".claude/worktrees",
    ".claude/worktrees/real",
    ".claude/worktrees/real/src",
    "worktree-in-the-root/src",
  ])("leaves %s alone", (directory) => {
    expect(strayAt(directory)).toBeUndefined();
  });

  it("sees through links, and has no word for what is not there", () => {
    symlinkSync(join(root, ".claude/worktrees/plain"), join(base, "link"));
    expect(strayWorktree(repositoryAt(root), join(base, "link"))).toBe(join(root, ".claude/worktrees/plain"));
    expect(strayWorktree(repositoryAt(root), join(root, ".worktrees/never"))).toBeUndefined();
  });
});
