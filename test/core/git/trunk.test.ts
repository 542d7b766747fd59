import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readTrunk } from "../../../src/core/git/trunk.ts";
import { commit, git, initRepository, repositoryAt, temporaryDirectory } from "./sandbox.ts";

const base = temporaryDirectory();

describe("readTrunk", () => {
  it("is the elected remote's default branch as last fetched", () => {
    const source = initRepository(join(base, "source"));
    const first = commit(source, "first");
    git(base, "clone", "-q", source, "clone");
    const clone = join(base, "clone");
    commit(clone, "ahead");
    expect(readTrunk(repositoryAt(clone))).toEqual({ reference: "refs/remotes/origin/HEAD", commit: first });
    git(clone, "pack-refs", "--all");
    expect(readTrunk(repositoryAt(clone))?.commit).toBe(first);
    git(clone, "remote", "set-head", "origin", "--delete");
    expect(readTrunk(repositoryAt(clone))?.reference).toBe("refs/heads/main");
  });

  it("is local main, else master, else HEAD", () => {
    const path = initRepository(join(base, "local"));
    const first = commit(path, "first");
    git(path, "switch", "-q", "-c", "topic");
    const second = commit(path, "second");
    expect(readTrunk(repositoryAt(path))).toEqual({ reference: "refs/heads/main", commit: first });
    git(path, "branch", "-q", "-m", "main", "master");
    expect(readTrunk(repositoryAt(path))).toEqual({ reference: "refs/heads/master", commit: first });
    git(path, "branch", "-q", "-D", "master");
    expect(readTrunk(repositoryAt(path))).toEqual({ reference: "HEAD", commit: second });
  });

  it("is nothing before the first commit", () => {
    expect(readTrunk(repositoryAt(initRepository(join(base, "empty"))))).toBeUndefined();
  });
});
