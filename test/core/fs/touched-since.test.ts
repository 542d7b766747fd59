import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { statEntry } from "../../../src/core/fs/read.ts";
import { wasTouchedSince } from "../../../src/core/fs/touched-since.ts";
import { scratchDirectory } from "../../support/scratch.ts";

/** Writes files until the file system's clock has moved, and gives its time then: what came before is older. */
function later(root: string): bigint {
  const path = join(root, "clock");
  const time = (): bigint => {
    writeFileSync(path, "");
    return statEntry(path)?.mtimeNs ?? 0n;
  };
  const begun = time();
  for (;;) {
    const now = time();
    if (now > begun) return now;
  }
}

function newTree(): string {
  const root = scratchDirectory();
  mkdirSync(join(root, "new", "deep", "er"), { recursive: true });
  for (const path of ["a", "b", "new/c", "new/deep/er/d"]) writeFileSync(join(root, path), "1");
  return root;
}

describe("what was touched since", () => {
  it.each<[string, (root: string) => void, string[], boolean]>([
    ["nothing", () => undefined, ["a", "new/"], false],
    ["a file that was written", (root) => writeFileSync(join(root, "a"), "2"), ["a"], true],
    ["another file", (root) => writeFileSync(join(root, "b"), "2"), ["a"], false],
    ["a file deep in a directory", (root) => writeFileSync(join(root, "new/deep/er/d"), "2"), ["new/"], true],
    ["a file that was removed", (root) => rmSync(join(root, "new/c")), ["new/c"], true],
    [
      "a directory that was removed",
      (root) => rmSync(join(root, "new"), { recursive: true }),
      ["new/c"],
      true,
    ],
    ["a file that was moved", (root) => renameSync(join(root, "b"), join(root, "a")), ["a"], true],
    [
      "a file that claims to be old",
      (root) => {
        writeFileSync(join(root, "a"), "2");
        utimesSync(join(root, "a"), 1, 1);
      },
      ["a"],
      true,
    ],
    [
      "git's own state",
      (root) => writeFileSync(join(root, "new/deep/.git/HEAD"), "2"),
      ["new/deep/er/"],
      false,
    ],
    ["a file that was not there", () => undefined, ["gone/for/long"], false],
    [
      "what a path outside leads to",
      (root) => writeFileSync(join(root, "b"), "2"),
      ["new/../../", ".."],
      false,
    ],
  ])("%s", (_, act, paths, touched) => {
    const root = newTree();
    mkdirSync(join(root, "new/deep/.git"));
    const since = later(root);
    later(root);
    const inner = join(root, "new");
    // The directory of the clock file is touched by it: what is gone is asked below another.
    const at = paths.includes("gone/for/long") ? inner : root;
    act(root);
    expect(wasTouchedSince(at, paths, since)).toBe(touched);
  });

  it("a link is not followed, and a linked directory not looked through", () => {
    const root = newTree();
    symlinkSync("new", join(root, "link"));
    const since = later(root);
    writeFileSync(join(root, "new/c"), "2");
    expect(wasTouchedSince(root, ["link"], since)).toBe(false);
  });
});
