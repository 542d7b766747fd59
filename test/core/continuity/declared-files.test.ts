import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { declaredFiles } from "../../../src/core/continuity/declared-files.ts";
import { newPlace } from "../../support/checkout.ts";
import { git } from "../../support/repository.ts";

const DIRECTORY = ".ai/repo/mesh/";

async function newDeclared() {
  const place = await newPlace();
  const checkout = await place.checkout();
  const declare = (name: string, text: string): string => {
    mkdirSync(join(place.root, DIRECTORY), { recursive: true });
    writeFileSync(join(place.root, DIRECTORY, name), text);
    git(place.root, "add", "-A");
    git(place.root, "commit", "-q", "-m", `Declare ${name}`);
    return git(place.root, "rev-parse", "HEAD").trim();
  };
  const paths = (commit: string) => declaredFiles(checkout, commit, DIRECTORY)?.map(([, path]) => path);
  const cached = () =>
    readdirSync(checkout.common.cache)
      .filter((name) => name.startsWith("continuity-declared-"))
      .map((name) => join(checkout.common.cache, name));
  return { place, checkout, declare, paths, cached };
}

describe("the declarations of a commit", () => {
  it("are its files and no other commit's, the first time and every time", async () => {
    const { declare, paths, cached } = await newDeclared();
    const first = declare("a.yaml", "a\n");
    const second = declare("b.yaml", "b\n");
    declare(".hidden.yaml", "c\n");
    const third = declare("notes.txt", "d\n");
    for (let round = 0; round < 2; round += 1) {
      expect(paths(first)).toEqual([`${DIRECTORY}a.yaml`]);
      expect(paths(first)).toEqual([`${DIRECTORY}a.yaml`]);
      expect(paths(second)).toEqual([`${DIRECTORY}a.yaml`, `${DIRECTORY}b.yaml`]);
      expect(paths(third)).toEqual([`${DIRECTORY}a.yaml`, `${DIRECTORY}b.yaml`]);
    }
    expect(cached()).toHaveLength(1);
  });

  it("are asked of git where what was kept is damaged, of another form or gone", async () => {
    const { declare, paths, cached } = await newDeclared();
    const commit = declare("a.yaml", "a\n");
    expect(paths(commit)).toHaveLength(1);
    const [cache = ""] = cached();
    for (const text of [
      "",
      "{",
      "null",
      JSON.stringify({ commit, files: "a" }),
      JSON.stringify({ commit, files: [["not an object", "x"]] }),
      JSON.stringify({ commit: "other", files: [] }),
    ]) {
      writeFileSync(cache, text);
      expect(paths(commit), text).toEqual([`${DIRECTORY}a.yaml`]);
    }
    writeFileSync(cache, JSON.stringify({ commit, files: [] }));
    expect(paths(commit)).toEqual([]);
  });

  it("are not known of a commit that is not there, and that is not kept", async () => {
    const { paths, declare } = await newDeclared();
    expect(paths("0123456789012345678901234567890123456789")).toBeUndefined();
    expect(paths(declare("a.yaml", "a\n"))).toHaveLength(1);
  });
});
