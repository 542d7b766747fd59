import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { readHead } from "../../../src/core/git/head.ts";
import { electedRemote, sharedRepositoryId } from "../../../src/core/git/remote.ts";
import { findRepository, isBareRepository } from "../../../src/core/git/repository.ts";
import { readTrunk } from "../../../src/core/git/trunk.ts";
import { isRegisteredWorktree, listWorktrees } from "../../../src/core/git/worktrees.ts";
import { commit, git, initRepository, temporaryDirectory } from "./sandbox.ts";

const base = temporaryDirectory();
/** No git can be found here: whoever asks it, throws. */
const WITHOUT_GIT = { PATH: join(base, "nothing") };

beforeAll(() => {
  const path = initRepository(join(base, "main"));
  commit(path, "first");
  git(path, "remote", "add", "origin", "git@host:owner/name.git");
  git(path, "worktree", "add", "-q", "-b", "side", join(base, "side"));
  git(path, "pack-refs", "--all");
  git(base, "clone", "-q", "--bare", path, join(base, "bare.git"));
  initRepository(join(base, "empty"));
  execFileSync("git", ["init", "-q", "-b", "main", "--object-format=sha256", join(base, "sha256")]);
});

describe("what a hook needs of a repository costs no process", () => {
  it.each(["main", "side", "empty", "sha256"])("in %s", (name) => {
    const repository = findRepository(join(base, name), WITHOUT_GIT);
    if (repository === undefined) throw new Error("not found");
    const head = readHead(repository);
    expect(head.branch).toBe(name === "side" ? "side" : "main");
    expect(listWorktrees(repository).length).toBeGreaterThan(0);
    expect(isRegisteredWorktree(repository)).toBe(true);
    expect(electedRemote(repository, head.branch).ok).toBe(true);
    expect(sharedRepositoryId(repository, head.branch)).not.toBe("");
    expect(readTrunk(repository)?.commit).toBe(head.commit);
  });

  it("nor does finding out that there is none, or that it is bare", () => {
    expect(findRepository(base, WITHOUT_GIT)).toBeUndefined();
    expect(findRepository(join(base, "bare.git"), WITHOUT_GIT)).toBeUndefined();
    expect(isBareRepository(join(base, "bare.git"), WITHOUT_GIT)).toBe(true);
  });
});
