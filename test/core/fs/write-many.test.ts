import { mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { injectFaults, parseFaultPlan } from "../../../src/core/fs/fault.ts";
import { writeManyDurably } from "../../../src/core/fs/write-many.ts";
import { scratchDirectory } from "../../support/scratch.ts";

afterEach(() => injectFaults(undefined));

/** Two directories with three files to come; the first stands in an older version. */
function newFiles(): { directory: string; files: { path: string; text: string }[] } {
  const directory = scratchDirectory();
  mkdirSync(join(directory, "a"));
  mkdirSync(join(directory, "b"));
  writeFileSync(join(directory, "a/one"), "old");
  const files = ["a/one", "a/two", "b/three"].map((name) => ({
    path: join(directory, name),
    text: `new ${name} ä\n`,
  }));
  return { directory, files };
}

function contentOf(directory: string): Record<string, string> {
  return Object.fromEntries(
    ["a", "b"].flatMap((below) =>
      readdirSync(join(directory, below)).map((name) => [
        `${below}/${name}`,
        readFileSync(join(directory, below, name), "utf8"),
      ]),
    ),
  );
}

const NEW = { "a/one": "new a/one ä\n", "a/two": "new a/two ä\n", "b/three": "new b/three ä\n" };

test("every file is synced before the first is renamed, and each directory after the last", () => {
  const { directory, files } = newFiles();
  const seen: string[] = [];
  injectFaults({
    before: (operation, path) => {
      const name = basename(path);
      if (operation === "fsync" || operation === "rename") {
        seen.push(`${operation} ${name.startsWith(".tmp.") ? "temporary" : name}`);
      }
    },
  });
  writeManyDurably(files);
  expect(seen).toEqual([
    "fsync temporary",
    "fsync temporary",
    "fsync temporary",
    "rename one",
    "rename two",
    "rename three",
    "fsync a",
    "fsync b",
  ]);
  expect(contentOf(directory)).toEqual(NEW);
});

test("nothing is nothing to do", () => {
  const seen: string[] = [];
  injectFaults({ before: (operation) => seen.push(operation) });
  writeManyDurably([]);
  expect(seen).toEqual([]);
});

test("whichever operation fails, each file is old or new, and nothing lies beside them", () => {
  for (let operation = 1; ; operation += 1) {
    const { directory, files } = newFiles();
    injectFaults(parseFaultPlan(`ENOSPC@${operation}`));
    let failure: unknown;
    try {
      writeManyDurably(files);
    } catch (error) {
      failure = error;
    }
    injectFaults(undefined);
    const content = contentOf(directory);
    if (failure === undefined) {
      expect(content).toEqual(NEW);
      expect(operation).toBe(18);
      return;
    }
    expect(failure).toMatchObject({ code: "ENOSPC", path: expect.stringContaining(directory) });
    expect({ ...NEW, ...content, "a/one": "" }).toEqual({ ...NEW, "a/one": "" });
    expect(["old", NEW["a/one"]]).toContain(content["a/one"]);
    writeManyDurably(files);
    expect(contentOf(directory)).toEqual(NEW);
  }
});

test("a link is replaced, and what it leads to is left alone", () => {
  const { directory, files } = newFiles();
  rmSync(join(directory, "a/one"));
  writeFileSync(join(directory, "outside"), "untouched");
  symlinkSync(join(directory, "outside"), join(directory, "a/one"));
  writeManyDurably(files);
  expect(contentOf(directory)).toEqual(NEW);
  expect(readFileSync(join(directory, "outside"), "utf8")).toBe("untouched");
});
