import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { hintsFor } from "../../../src/core/git/hints.ts";
import { commit, ENVIRONMENT, git, initRepository, repositoryAt, temporaryDirectory } from "./sandbox.ts";

const base = temporaryDirectory();
let count = 0;
let path = "";

const LINES = Array.from({ length: 40 }, (_, index) => `line ${index}\n`);

function fileWith(changes: Record<number, string>): string {
  return LINES.map((line, index) => changes[index] ?? line).join("");
}

/** The stable patch id of a commit, straight from git. */
function patchId(id: string): string {
  const patch = git(path, "show", id);
  const output = execFileSync("git", ["patch-id", "--stable"], {
    cwd: path,
    env: ENVIRONMENT,
    input: `${patch}\n`,
  });
  return output.toString().split(" ")[0] ?? "";
}

beforeEach(() => {
  count += 1;
  path = initRepository(join(base, `r${count}`));
  commit(path, "base", { "file.txt": fileWith({}), "other.txt": "o\n" });
});

describe("hintsFor", () => {
  it("finds where a rebase took a commit", () => {
    git(path, "switch", "-q", "-c", "topic");
    commit(path, "one", { "file.txt": fileWith({ 5: "one\n" }) });
    const recorded = commit(path, "two", { "file.txt": fileWith({ 5: "one\n", 30: "two\n" }) });
    git(path, "switch", "-q", "main");
    commit(path, "upstream", { "upstream.txt": "u\n", "file.txt": `new first line\n${fileWith({})}` });
    git(path, "switch", "-q", "topic");
    git(path, "rebase", "-q", "main");
    const rebased = git(path, "rev-parse", "HEAD");
    const later = commit(path, "three", { "more.txt": "m\n" });
    expect(patchId(rebased)).toBe(patchId(recorded));
    expect(hintsFor(repositoryAt(path), recorded, later)).toEqual({ rebased_to: rebased });
  });

  it("finds the commit that squashed a branch", () => {
    git(path, "switch", "-q", "-c", "topic");
    commit(path, "one", { "file.txt": fileWith({ 5: "one\n" }) });
    const recorded = commit(path, "two", { "new.txt": "n\n" });
    git(path, "switch", "-q", "main");
    commit(path, "upstream", { "other.txt": "changed\n" });
    git(path, "merge", "-q", "--squash", "topic");
    const squashed = commit(path, "topic, squashed");
    const head = commit(path, "after", { "other.txt": "again\n" });
    git(path, "branch", "-q", "-D", "topic");
    expect(hintsFor(repositoryAt(path), recorded, head)).toEqual({ merged_as: squashed });
  });

  it("looks for a squash on the first-parent line alone", () => {
    git(path, "switch", "-q", "-c", "topic");
    commit(path, "one", { "a.txt": "a\n" });
    const recorded = commit(path, "two", { "b.txt": "b\n" });
    git(path, "switch", "-q", "-c", "integration", "main");
    git(path, "merge", "-q", "--squash", "topic");
    commit(path, "squashed aside");
    git(path, "switch", "-q", "main");
    commit(path, "upstream", { "c.txt": "c\n" });
    git(path, "merge", "-q", "--no-ff", "-m", "merge", "integration");
    expect(hintsFor(repositoryAt(path), recorded, git(path, "rev-parse", "HEAD"))).toEqual({});
  });

  it("says both of a branch of one commit that was picked", () => {
    git(path, "switch", "-q", "-c", "topic");
    const recorded = commit(path, "one", { "a.txt": "a\n" });
    git(path, "switch", "-q", "main");
    commit(path, "upstream", { "c.txt": "c\n" });
    git(path, "cherry-pick", recorded);
    const picked = git(path, "rev-parse", "HEAD");
    expect(hintsFor(repositoryAt(path), recorded, picked)).toEqual({ rebased_to: picked, merged_as: picked });
  });

  it("does not depend on the user's settings for diffs", () => {
    for (const [name, value] of Object.entries({
      "diff.noprefix": "true",
      "diff.context": "0",
      "diff.external": "false",
    })) {
      git(path, "config", name, value);
    }
    git(path, "switch", "-q", "-c", "topic");
    const recorded = commit(path, "one", { "file.txt": fileWith({ 5: "one\n" }) });
    git(path, "switch", "-q", "main");
    const other = commit(path, "like it", { "file.txt": fileWith({ 5: "one\n", 6: "and more\n" }) });
    expect(hintsFor(repositoryAt(path), recorded, other)).toEqual({});
  });

  it("finds a commit again after the whole history was rewritten", () => {
    const recorded = commit(path, "one", { "a.txt": "a\n" });
    git(path, "switch", "-q", "--orphan", "rewritten");
    commit(path, "base, rewritten", { "file.txt": fileWith({}), "other.txt": "o\n" });
    const again = commit(path, "one, rewritten", { "a.txt": "a\n" });
    expect(hintsFor(repositoryAt(path), recorded, again)).toEqual({ rebased_to: again });
  });

  it("proves nothing for an ancestor, HEAD itself, what is not here, and what is no commit", () => {
    const first = git(path, "rev-parse", "HEAD");
    const head = commit(path, "two", { "a.txt": "a\n" });
    for (const recorded of [first, head, "f".repeat(40), "NONE", ""]) {
      expect(hintsFor(repositoryAt(path), recorded, head)).toEqual({});
    }
  });

  it("proves nothing by an empty commit", () => {
    git(path, "switch", "-q", "-c", "topic");
    const recorded = commit(path, "empty");
    git(path, "switch", "-q", "main");
    const head = commit(path, "another empty one");
    expect(hintsFor(repositoryAt(path), recorded, head)).toEqual({});
  });
});
