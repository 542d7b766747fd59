import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { commitFile } from "../../../src/core/git/commit-file.ts";
import type { FileCommit, FileCommitOutcome, Persistence } from "../../../src/core/git/commit-file.ts";
import { findRepository } from "../../../src/core/git/repository.ts";
import { commitFile as commitByHand, git, newRepository } from "../../support/repository.ts";

const FILE: Omit<FileCommit, "scratch"> = {
  path: "notes/record.md",
  bytes: Buffer.from("record\n"),
  message: "Record it\n",
  at: 1_788_523_200,
  standIn: { name: "Nobody", email: "nobody@example.org" },
};

/** Between two attempts something happens, in turn; then patience is at its end. */
function between(...happenings: (() => void)[]): Persistence {
  const left = [...happenings];
  return { mayGoOn: () => left.length > 0, rest: () => left.shift()?.() };
}

function newPlace(): { root: string; commit: (persistence: Persistence) => FileCommitOutcome } {
  const root = newRepository();
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  commitByHand(root, "README.md", "# One\n");
  const repository = findRepository(root, process.env);
  if (repository === undefined) throw new Error("no repository");
  const scratch = join(root, ".git/scratch-index");
  return { root, commit: (persistence) => commitFile(repository, { ...FILE, scratch }, persistence) };
}

const index = (root: string): string => git(root, "ls-files", "--stage");

/** Somebody's commit that does not touch what is staged. */
function commitBeside(root: string): string {
  const made = git(root, "commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "Beside");
  git(root, "update-ref", "refs/heads/main", made);
  return made;
}

it("builds again upon a branch that was held and has moved meanwhile", () => {
  const { root, commit } = newPlace();
  const lock = join(root, ".git/refs/heads/main.lock");
  writeFileSync(lock, "");
  let beside = "";
  const persistence = between(
    () => {
      rmSync(lock);
      beside = commitBeside(root);
      writeFileSync(lock, "");
    },
    () => rmSync(lock),
  );
  expect(commit(persistence)).toEqual({ state: "committed", commit: git(root, "rev-parse", "HEAD") });
  expect(git(root, "rev-parse", "HEAD^")).toBe(beside);
  expect(git(root, "diff", "--cached", "--name-only")).toBe("");
});

it("waits for an index that somebody else holds", () => {
  const { root, commit } = newPlace();
  const lock = join(root, ".git/index.lock");
  writeFileSync(lock, "");
  expect(commit(between(() => rmSync(lock)))).toMatchObject({ state: "committed" });
});

it("takes back what it put into the index, and only that", () => {
  const { root, commit } = newPlace();
  const lock = join(root, ".git/refs/heads/main.lock");
  const blobs = ["first\n", "record\n"].map((text) => {
    writeFileSync(join(root, "blob"), text);
    return git(root, "hash-object", "-w", "blob");
  });
  const entries = [undefined, ...blobs];
  for (const blob of entries) {
    if (blob !== undefined) git(root, "update-index", "--add", "--cacheinfo", `100644,${blob},${FILE.path}`);
    const before = index(root);
    writeFileSync(lock, "");
    expect(commit(between(() => undefined))).toMatchObject({ state: "left" });
    expect(index(root)).toBe(before);
    rmSync(lock);
  }
});

it("leaves in the index what somebody has committed or set meanwhile", () => {
  const { root, commit } = newPlace();
  const lock = join(root, ".git/refs/heads/main.lock");
  writeFileSync(lock, "");
  const committing = between(() => {
    rmSync(lock);
    git(root, "commit", "-q", "-m", "All that is staged");
  });
  expect(commit(committing)).toEqual({ state: "standing" });
  expect(git(root, "diff", "--cached", "--name-only")).toBe("");
  expect(git(root, "show", `HEAD:${FILE.path}`)).toBe("record");

  git(root, "reset", "-q", "--hard", "HEAD^");
  writeFileSync(lock, "");
  writeFileSync(join(root, "blob"), "theirs\n");
  const theirs = git(root, "hash-object", "-w", "blob");
  const setting = between(() => git(root, "update-index", "--cacheinfo", `100644,${theirs},${FILE.path}`));
  expect(commit(setting)).toMatchObject({ state: "left" });
  expect(index(root)).toContain(theirs);
});

it("says so where it cannot take its entry back", () => {
  const { root, commit } = newPlace();
  const lock = join(root, ".git/refs/heads/main.lock");
  writeFileSync(lock, "");
  const holding = between(() => writeFileSync(join(root, ".git/index.lock"), ""));
  expect(commit(holding)).toEqual({
    state: "left",
    reason: expect.stringMatching(/^the index is locked; it stays staged: Unable to create .*index\.lock/),
  });
});
