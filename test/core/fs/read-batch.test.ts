import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readBatches } from "../../../src/core/fs/read-batch.ts";
import { scratchDirectory } from "../../support/scratch.ts";

interface Reading {
  count: number;
  texts: Map<string, string>;
  skipped: [string, string][];
  batches: number;
}

function readAll(directory: string, maximumBytes = 1024 * 1024): Reading {
  const texts = new Map<string, string>();
  const skipped: [string, string][] = [];
  let batches = 0;
  const count = readBatches(
    directory,
    (buffer, files) => {
      batches += 1;
      for (const { path, start, end } of files) texts.set(path, buffer.toString("latin1", start, end));
    },
    {
      accepts: (name) => name.endsWith(".md"),
      maximumBytes,
      onSkipped: (path, reason) => skipped.push([path, reason]),
    },
  );
  return { count, texts, skipped, batches };
}

describe("files read in batches", () => {
  it("come whole, whatever their sizes", () => {
    const directory = scratchDirectory();
    const sizes = [0, 1, 16_383, 16_384, 40_000, 49_152, 65_535, 65_536, 65_537, 200_000, 7];
    const expected = new Map<string, string>();
    for (const [index, size] of sizes.entries()) {
      const path = join(directory, `${index}.md`);
      const text = String.fromCharCode(97 + index).repeat(size);
      writeFileSync(path, text);
      expected.set(path, text);
    }
    writeFileSync(join(directory, "other.txt"), "x");
    const { count, texts, skipped } = readAll(directory);
    expect(count).toBe(sizes.length);
    expect(skipped).toEqual([]);
    expect(texts).toEqual(expected);
  });

  it("come many at a time", () => {
    const directory = scratchDirectory();
    for (let index = 0; index < 100; index += 1)
      writeFileSync(join(directory, `${index}.md`), "x".repeat(1000));
    const { batches, texts } = readAll(directory);
    expect(texts.size).toBe(100);
    expect(batches).toBeLessThan(5);
  });

  it("leave out what is too large or no regular file, and say so", () => {
    const directory = scratchDirectory();
    writeFileSync(join(directory, "large.md"), "x".repeat(100_000));
    writeFileSync(join(directory, "small.md"), "x");
    symlinkSync("small.md", join(directory, "link.md"));
    execFileSync("mkfifo", [join(directory, "pipe.md")]);
    const { texts, skipped } = readAll(directory, 70_000);
    expect([...texts.keys()]).toEqual([join(directory, "small.md")]);
    expect(new Map(skipped)).toEqual(
      new Map<string, unknown>([
        [join(directory, "large.md"), expect.stringContaining("larger than 70000 bytes")],
        [join(directory, "link.md"), "is not a regular file"],
        [join(directory, "pipe.md"), "is not a regular file"],
      ]),
    );
  });

  it("are none in a directory that is not there", () => {
    expect(readAll(join(scratchDirectory(), "nowhere"))).toMatchObject({ count: 0, batches: 0 });
  });
});
