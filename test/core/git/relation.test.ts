import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { relationOf } from "../../../src/core/git/relation.ts";
import { commit, git, initRepository, repositoryAt, temporaryDirectory } from "./sandbox.ts";

const root = initRepository(join(temporaryDirectory(), "one"));
const first = commit(root, "first", { "a.txt": "1\n" });
const second = commit(root, "second", { "a.txt": "2\n" });
git(root, "switch", "-q", "-c", "side", first);
const side = commit(root, "side", { "b.txt": "1\n" });
git(root, "switch", "-q", "main");

describe("the relation of one commit to HEAD", () => {
  it.each([
    [second, "exact"],
    [first, "ancestor"],
    [side, "not_ancestor"],
    ["0123456789abcdef0123456789abcdef01234567", "absent"],
    ["main", "unknown"],
    ["--all", "unknown"],
  ])("%s is %s", (id, relation) => {
    expect(relationOf(repositoryAt(root), id, second).relation).toBe(relation);
  });

  it("is not guessed where history is cut", () => {
    const clone = join(temporaryDirectory(), "shallow");
    git(root, "clone", "-q", "--depth", "1", "--branch", "main", `file://${root}`, clone);
    const shallow = repositoryAt(clone);
    expect(relationOf(shallow, first, second)).toMatchObject({
      relation: "unknown",
      reason: expect.stringContaining("shallow"),
    });
    expect(relationOf(shallow, second, second).relation).toBe("exact");
  });
});
