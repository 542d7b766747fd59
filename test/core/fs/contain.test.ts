import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MajordomusError } from "../../../src/core/base/error.ts";
import { canonicalPath, containedPath } from "../../../src/core/fs/contain.ts";
import { scratchDirectory } from "../../support/scratch.ts";

/** A root with a sibling whose name begins alike. */
function house(): { above: string; root: string } {
  const above = scratchDirectory();
  for (const name of ["root/sub", "root-spoof"]) mkdirSync(join(above, name), { recursive: true });
  writeFileSync(join(above, "root-spoof", "file"), "");
  return { above, root: join(above, "root") };
}

describe("containedPath", () => {
  test.each([
    "file",
    "sub/file",
    "./sub//file",
    "sub/../other",
    "..file",
    "sub/..",
    "",
    "not/there/yet",
    "日本",
  ])("%j stays inside", (relative) => {
    const { root } = house();
    expect(containedPath(root, relative)).toBe(resolve(root, relative));
  });

  test.each([
    "..",
    "../root-spoof/file",
    "sub/../../root-spoof/file",
    "/etc/passwd",
    "/",
    "a\0b",
    "../root/../x",
  ])("%j is refused", (relative) => {
    const { root } = house();
    expect(() => containedPath(root, relative)).toThrow(
      expect.objectContaining({ exit: 15, subject: relative }),
    );
  });

  test("a root that is named outright is refused, even when it leads back inside", () => {
    const { root } = house();
    expect(() => containedPath(root, join(root, "sub"))).toThrow(expect.objectContaining({ exit: 15 }));
  });

  test("a symbolic link that leads out is refused, as a file, on the way, dangling or in a chain", () => {
    const { root } = house();
    symlinkSync("../root-spoof/file", join(root, "file"));
    symlinkSync("../root-spoof", join(root, "directory"));
    symlinkSync("../none", join(root, "dangling"));
    symlinkSync("dangling", join(root, "chain"));
    symlinkSync("circle", join(root, "circle"));
    for (const relative of [
      "file",
      "directory",
      "directory/new",
      "dangling",
      "chain",
      "dangling/deep/er",
      "circle",
    ]) {
      expect(() => containedPath(root, relative)).toThrow(expect.objectContaining({ exit: 15 }));
    }
  });

  test("a symbolic link that stays inside is fine, and so is a root that is one", () => {
    const { above, root } = house();
    symlinkSync("sub", join(root, "link"));
    symlinkSync("root", join(above, "entrance"));
    expect(containedPath(root, "link/new")).toBe(join(root, "link", "new"));
    expect(containedPath(join(above, "entrance"), "sub")).toBe(join(above, "entrance", "sub"));
  });

  test("whatever is asked for, the answer lies inside or there is none", () => {
    const { root } = house();
    const piece = fc.constantFrom("..", ".", "", "sub", "a", "..a", "\0", "root-spoof", "~");
    const answerTo = (relative: string): string => {
      try {
        return containedPath(root, relative);
      } catch (error) {
        return error instanceof MajordomusError ? "refused" : "crashed";
      }
    };
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 7 }), (pieces) => {
        const answer = answerTo(pieces.join("/"));
        expect(answer === "refused" || answer === root || answer.startsWith(root + sep)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe("canonicalPath", () => {
  test("is one for every spelling of a directory", () => {
    const { above, root } = house();
    symlinkSync("root", join(above, "link"));
    for (const spelling of [
      root,
      `${root}/`,
      `${root}/sub/..`,
      join(above, "link"),
      `${above}/./link//sub/..`,
    ]) {
      expect(canonicalPath(spelling)).toBe(root);
    }
  });

  test("reaches beyond what exists", () => {
    const { above, root } = house();
    symlinkSync("root", join(above, "link"));
    expect(canonicalPath(join(above, "link", "new", "er"))).toBe(join(root, "new", "er"));
    expect(canonicalPath(join(above, "root-spoof", "file", "below"))).toBe(
      join(above, "root-spoof", "file", "below"),
    );
  });

  test("a dangling link stands for the place it aims at", () => {
    const { above, root } = house();
    symlinkSync("../root-spoof/none", join(root, "dangling"));
    expect(canonicalPath(join(root, "dangling", "x"))).toBe(join(above, "root-spoof", "none", "x"));
  });

  test("links in a circle are refused", () => {
    const { root } = house();
    symlinkSync("two", join(root, "one"));
    symlinkSync("one", join(root, "two"));
    expect(() => canonicalPath(join(root, "one"))).toThrow(expect.objectContaining({ exit: 15 }));
  });
});
