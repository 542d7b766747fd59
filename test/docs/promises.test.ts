import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

interface Reference {
  file: string;
  /** The beginning of a test's name, as its source spells it. */
  name: string;
}

/** The tests that the table of promises names. */
function references(): Reference[] {
  const rows = readFileSync(join(ROOT, "docs/promises.md"), "utf8")
    .split("\n")
    .filter((line) => /^\| (?:\d|–)/.test(line));
  return rows.flatMap((row) => {
    const tests = row.split(" | ").at(-1)?.replace(/ \|$/, "") ?? "";
    return tests.split("; ").map((text) => {
      const [, file = "", name = ""] = /`([^`]+)` (.+)$/.exec(text.trim()) ?? [];
      return { file, name: name.trim() };
    });
  });
}

test("every test that the table of promises names is there", () => {
  const found = references();
  expect(found.length).toBeGreaterThan(60);
  const missing = found.filter(({ file, name }) => {
    const path = join(ROOT, "test", file);
    return name === "" || !existsSync(path) || !readFileSync(path, "utf8").includes(name);
  });
  expect(missing).toEqual([]);
});

test("the table of promises has a row for each promise from 1 to 29", () => {
  const text = readFileSync(join(ROOT, "docs/promises.md"), "utf8");
  for (let number = 1; number <= 29; number += 1)
    expect(text).toMatch(new RegExp(`^\\| ${number} +\\|`, "m"));
});
