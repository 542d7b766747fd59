import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatOf, objectName, packOf, treeObject } from "../../../src/core/git/object-pack.ts";
import type { NewObject, TreeEntry } from "../../../src/core/git/object-pack.ts";
import {
  askObjectFormat,
  directoryEntry,
  listTree,
  unpackObjects,
  writeBlob,
  writeTree,
} from "../../../src/core/git/plumbing.ts";
import type { Repository } from "../../../src/core/git/repository.ts";
import { git, repositoryAt, temporaryDirectory } from "./sandbox.ts";

function newRepository(format: string): { directory: string; repository: Repository } {
  const directory = join(temporaryDirectory(), "app");
  mkdirSync(directory);
  git(directory, "init", "-q", `--object-format=${format}`);
  return { directory, repository: repositoryAt(directory) };
}

const blob = (bytes: Buffer): NewObject => ({ type: "blob", bytes });
const SIZES = [0, 1, 15, 16, 2_047, 2_048, 65_535, 65_536, 200_000];

/** Bytes that do not repeat. */
function noise(length: number): Buffer {
  let state = length + 1;
  return Buffer.from(
    Array.from({ length }, () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) >> 16),
  );
}

describe.each(["sha1", "sha256"] as const)("objects in a repository of %s", (format) => {
  it("are those that git itself would write, whatever their length", () => {
    const { directory, repository } = newRepository(format);
    expect(askObjectFormat(repository)).toBe(format);
    const ids = unpackObjects(repository, SIZES.map(noise).map(blob), format) ?? [];
    expect(ids.map((id) => Number(git(directory, "cat-file", "-s", id)))).toEqual(SIZES);
    expect(ids).toEqual(SIZES.map((size) => writeBlob(repository, noise(size))));
    expect(ids.map(formatOf)).toEqual(SIZES.map(() => format));
    expect(execFileSync("git", ["fsck", "--strict"], { cwd: directory, stdio: "pipe" })).toBeDefined();
  });

  it("come with the trees that name them, sorted as git sorts", () => {
    const { repository } = newRepository(format);
    const one = blob(Buffer.from("one"));
    const id = objectName(one, format);
    const inner = treeObject([{ mode: "100644", type: "blob", id, name: "x" }]);
    const latin = Buffer.from([0x61, 0xff, 0x0a, 0x22]).toString("latin1");
    const entries: TreeEntry[] = [
      { mode: "100644", type: "blob", id, name: "records0" },
      directoryEntry("records", objectName(inner, format)),
      { mode: "100755", type: "blob", id, name: "records.json" },
      { mode: "120000", type: "blob", id, name: latin },
    ];
    const outer = treeObject(entries);
    const written = unpackObjects(repository, [one, inner, outer], format);
    expect(written).toEqual([one, inner, outer].map((object) => objectName(object, format)));
    expect(written?.[2]).toBe(writeTree(repository, entries));
    expect(listTree(repository, written?.[2] ?? "").map(({ name }) => name)).toEqual([
      latin,
      "records.json",
      "records",
      "records/x",
      "records0",
    ]);
  });
});

describe("what git does not take together", () => {
  it("is a tree whose entry is nowhere, and one that it calls malformed", () => {
    const { repository } = newRepository("sha1");
    const id = objectName(blob(Buffer.from("nowhere")), "sha1");
    const tree = treeObject([{ mode: "100644", type: "blob", id, name: "x" }]);
    expect(unpackObjects(repository, [tree], "sha1")).toBeUndefined();
    const known = writeBlob(repository, Buffer.from("x"));
    const odd = treeObject([{ mode: "100644", type: "blob", id: known, name: ".git" }]);
    expect(unpackObjects(repository, [odd], "sha1")).toBeUndefined();
  });

  it("is a pack that was damaged", () => {
    const { directory } = newRepository("sha1");
    const pack = packOf([blob(noise(100))], "sha1");
    pack[40] = (pack[40] ?? 0) ^ 1;
    expect(() =>
      execFileSync("git", ["unpack-objects", "-q"], { cwd: directory, input: pack, stdio: "pipe" }),
    ).toThrow(/./);
  });
});
