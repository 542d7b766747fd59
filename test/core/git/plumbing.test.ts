import { mkdirSync, readdirSync, writeFileSync, chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readBlobs, type Blob } from "../../../src/core/git/blobs.ts";
import { looseAmong, objectsSince, packObjects } from "../../../src/core/git/loose-objects.ts";
import {
  directoryEntry,
  isAncestor,
  listTree,
  moveReference,
  writeBlob,
  writeCommit,
  writeTree,
} from "../../../src/core/git/plumbing.ts";
import type { Repository } from "../../../src/core/git/repository.ts";
import { commit, git, initRepository, repositoryAt, temporaryDirectory } from "./sandbox.ts";

const REFERENCE = "refs/majordomus/continuity";

function newRepository(): { directory: string; repository: Repository } {
  const directory = initRepository(join(temporaryDirectory(), "app"));
  commit(directory, "Begin", { "a.txt": "a\n" });
  return { directory, repository: repositoryAt(directory) };
}

function commitOf(repository: Repository, text: string, parents: readonly string[] = []): string {
  const blob = writeBlob(repository, Buffer.from(text));
  const records = writeTree(repository, [{ mode: "100644", type: "blob", id: blob, name: "x.json" }]);
  const tree = writeTree(repository, [directoryEntry("records", records)]);
  return writeCommit(repository, {
    tree,
    parents,
    message: `${text}\n`,
    at: 1_790_000_000,
    identity: undefined,
  });
}

describe("objects", () => {
  it("a commit of ours holds what was put in, and changes neither index, work tree nor branch", () => {
    const { directory, repository } = newRepository();
    const before = [git(directory, "status", "--porcelain"), git(directory, "for-each-ref")];
    const id = commitOf(repository, "one");
    expect(listTree(repository, id).map(({ name, type }) => `${type} ${name}`)).toEqual([
      "tree records",
      "blob records/x.json",
    ]);
    expect(git(directory, "log", "-1", "--format=%s|%an|%at|%cn", id)).toBe("one|Ada|1790000000|Ada");
    expect([git(directory, "status", "--porcelain"), git(directory, "for-each-ref")]).toEqual(before);
  });

  it("names that are no text go through a listing and a tree unchanged", () => {
    const { directory, repository } = newRepository();
    const blob = writeBlob(repository, Buffer.from("x"));
    const name = Buffer.from([0x61, 0xff, 0x0a, 0x22]).toString("latin1");
    const tree = writeTree(repository, [{ mode: "100644", type: "blob", id: blob, name }]);
    expect(listTree(repository, tree)).toEqual([{ mode: "100644", type: "blob", id: blob, name }]);
    expect(git(directory, "cat-file", "-s", tree)).not.toBe("0");
  });

  it("reads blobs in order, names missing and too large ones, and takes trees for missing", () => {
    const { directory, repository } = newRepository();
    const small = writeBlob(repository, Buffer.from("small\n"));
    const empty = writeBlob(repository, Buffer.alloc(0));
    const large = writeBlob(repository, Buffer.alloc(2_000, 97));
    const absent = "0123456789012345678901234567890123456789";
    const tree = git(directory, "rev-parse", "HEAD^{tree}");
    const seen: [string, Blob][] = [];
    readBlobs(repository, [small, absent, large, tree, empty], 1_000, (id, blob) => seen.push([id, blob]));
    expect(seen.map(([id]) => id)).toEqual([small, absent, large, tree, empty]);
    expect(seen.map(([, blob]) => blob.state)).toEqual(["read", "missing", "too_large", "missing", "read"]);
    expect(seen[0]?.[1]).toMatchObject({ bytes: Buffer.from("small\n") });
  });

  it("a listing of what is no tree fails with git's reason", () => {
    const { repository } = newRepository();
    const blob = writeBlob(repository, Buffer.from("x"));
    expect(() => listTree(repository, blob)).toThrow(
      expect.objectContaining({ code: "git.failed", exit: 13 }),
    );
  });
});

describe("a reference", () => {
  it("moves only from the value that was seen", () => {
    const { repository } = newRepository();
    const one = commitOf(repository, "one");
    const two = commitOf(repository, "two", [one]);
    expect(moveReference(repository, REFERENCE, one, undefined, "test")).toEqual({ moved: true });
    expect(moveReference(repository, REFERENCE, two, undefined, "test")).toMatchObject({
      moved: false,
      contended: true,
    });
    expect(moveReference(repository, REFERENCE, two, one, "test")).toEqual({ moved: true });
    expect(moveReference(repository, REFERENCE, one, one, "test")).toMatchObject({
      moved: false,
      contended: true,
    });
    expect(isAncestor(repository, one, two)).toBe(true);
    expect(isAncestor(repository, two, one)).toBe(false);
    expect(isAncestor(repository, "0".repeat(39) + "1", one)).toBeUndefined();
  });

  it("is never followed to a branch", () => {
    const { directory, repository } = newRepository();
    const main = git(directory, "rev-parse", "main");
    git(directory, "symbolic-ref", REFERENCE, "refs/heads/main");
    moveReference(repository, REFERENCE, commitOf(repository, "one"), main, "test");
    expect(git(directory, "rev-parse", "main")).toBe(main);
  });

  it("a lock that git left behind is contention, and is said", () => {
    const { directory, repository } = newRepository();
    const lock = join(directory, ".git", `${REFERENCE}.lock`);
    mkdirSync(join(lock, ".."), { recursive: true });
    writeFileSync(lock, "");
    expect(
      moveReference(repository, REFERENCE, commitOf(repository, "one"), undefined, "test"),
    ).toMatchObject({
      moved: false,
      contended: true,
      reason: expect.stringMatching(/lock/),
    });
  });

  it("moves without the user's hooks", () => {
    const { directory, repository } = newRepository();
    const hook = join(directory, ".git/hooks/reference-transaction");
    mkdirSync(join(directory, ".git/hooks"), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\ntouch ${directory}/hook-ran\n`);
    chmodSync(hook, 0o755);
    expect(moveReference(repository, REFERENCE, commitOf(repository, "one"), undefined, "test").moved).toBe(
      true,
    );
    expect(existsSync(join(directory, "hook-ran"))).toBe(false);
  });
});

describe("loose objects", () => {
  it("of ours alone go into a pack, and everything stays readable", () => {
    const { directory, repository } = newRepository();
    const theirs = looseAmong(
      repository,
      objectsSince(repository, git(directory, "rev-parse", "HEAD"), undefined),
    );
    let tip: string | undefined;
    for (let index = 0; index < 5; index += 1) {
      tip = commitOf(repository, `text ${index}`, tip === undefined ? [] : [tip]);
    }
    const ours = objectsSince(repository, tip ?? "", undefined);
    expect(ours).toHaveLength(20);
    moveReference(repository, REFERENCE, tip ?? "", undefined, "test");
    packObjects(repository, looseAmong(repository, ours));
    expect(looseAmong(repository, ours)).toEqual([]);
    expect(looseAmong(repository, theirs)).toEqual(theirs);
    expect(
      readdirSync(join(directory, ".git/objects/pack")).filter((name) => name.endsWith(".pack")),
    ).toHaveLength(1);
    git(directory, "fsck", "--strict");
  });

  it("are found from a linked worktree too", () => {
    const { directory, repository } = newRepository();
    const linked = `${directory}-linked`;
    git(directory, "worktree", "add", "-q", "-b", "side", linked);
    const tip = commitOf(repositoryAt(linked), "one");
    expect(looseAmong(repository, [tip])).toEqual([tip]);
  });
});
