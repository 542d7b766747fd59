import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commitsMadeSince } from "../../../src/core/git/own-commits.ts";
import { pathsOfCommit, touchedBetween, touchedInWorkingTree } from "../../../src/core/git/touched.ts";
import { commit, git, initRepository, repositoryAt, temporaryDirectory } from "./sandbox.ts";

function made(): string {
  return initRepository(join(temporaryDirectory(), "repository"));
}

describe("what was touched", () => {
  it("has both names of a rename, and every file of a new directory", () => {
    const root = made();
    const text = "one\ntwo\nthree\nfour\n";
    const first = commit(root, "first", { "a.txt": text, "kept.txt": "1\n" });
    git(root, "mv", "a.txt", "b é.txt");
    const second = commit(root, "second");
    git(root, "mv", "kept.txt", "moved.txt");
    mkdirSync(join(root, "new/deep"), { recursive: true });
    writeFileSync(join(root, "new/deep/c.txt"), "1\n");
    const repository = repositoryAt(root);
    expect(touchedBetween(repository, first, second)).toEqual({ ok: true, value: ["a.txt", "b é.txt"] });
    expect(touchedBetween(repository, second, second)).toEqual({ ok: true, value: [] });
    expect(touchedInWorkingTree(repository)).toEqual({
      ok: true,
      value: ["kept.txt", "moved.txt", "new/deep/c.txt"],
    });
    expect(pathsOfCommit(repository, first)).toEqual({ ok: true, value: ["a.txt", "kept.txt"] });
  });

  it("fails with a reason where git does, and hands nothing but commits to it", () => {
    const root = made();
    const first = commit(root, "first");
    const repository = repositoryAt(root);
    expect(touchedBetween(repository, "--output=x", first)).toMatchObject({ ok: false });
    expect(touchedBetween(repository, first, "0".repeat(40))).toMatchObject({ ok: false });
    expect(pathsOfCommit(repository, "HEAD")).toMatchObject({ ok: false });
  });

  it("is all that is new in a repository without commits", () => {
    const root = made();
    writeFileSync(join(root, "a.txt"), "1\n");
    expect(touchedInWorkingTree(repositoryAt(root))).toEqual({ ok: true, value: ["a.txt"] });
  });
});

describe("commits made here", () => {
  it("are counted from a commit, whatever their dates", () => {
    const root = made();
    const first = commit(root, "first", { "a.txt": "1\n" });
    commit(root, "second", { "a.txt": "2\n" });
    git(root, "commit", "-q", "--amend", "-m", "second again");
    const repository = repositoryAt(root);
    expect(commitsMadeSince(repository, { head: first, at: Number.MAX_SAFE_INTEGER })).toBe(2);
    expect(commitsMadeSince(repository, { at: 0 })).toBe(3);
    expect(commitsMadeSince(repository, { at: Date.now() + 60_000 })).toBe(0);
    expect(commitsMadeSince(repository, { head: "f".repeat(40), at: 0 })).toBe(3);
  });

  it("are counted by when they were written, and by their date once they are packed", () => {
    const root = made();
    const written = (id: string, seconds: number): void =>
      utimesSync(join(root, ".git/objects", id.slice(0, 2), id.slice(2)), seconds, seconds);
    written(commit(root, "first"), 1000);
    written(commit(root, "second"), 2000);
    const repository = repositoryAt(root);
    expect(commitsMadeSince(repository, { at: 1_500_000 })).toBe(1);
    git(root, "repack", "-q", "-a", "-d");
    expect(commitsMadeSince(repository, { at: 1_789_999_999_000 })).toBe(2);
    expect(commitsMadeSince(repository, { at: 1_790_000_000_000 })).toBe(0);
  });

  it("are none of those that were pulled", () => {
    const root = made();
    const first = commit(root, "first", { "a.txt": "1\n" });
    const clone = join(temporaryDirectory(), "clone");
    git(root, "clone", "-q", root, clone);
    commit(root, "second", { "a.txt": "2\n" });
    git(clone, "pull", "-q", "--ff-only");
    expect(commitsMadeSince(repositoryAt(clone), { head: first, at: 0 })).toBe(0);
  });

  it("are counted by date where HEAD has no log", () => {
    const root = made();
    git(root, "config", "core.logAllRefUpdates", "false");
    commit(root, "first");
    commit(root, "second");
    expect(commitsMadeSince(repositoryAt(root), { at: 0 })).toBe(2);
    expect(commitsMadeSince(repositoryAt(root), { at: 1_790_000_001_000 })).toBe(0);
  });
});
