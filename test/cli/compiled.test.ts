import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { sha256Hex } from "../../src/core/base/id.ts";
import { scratchDirectory } from "../support/scratch.ts";

const ROOT = dirname(dirname(import.meta.dirname));

/** A bundle as the build leaves it. */
function marked(source: string): string {
  return `${source}\n//${sha256Hex(source)}\n`;
}

/** A program of one bundle, loaded as the real ones are. */
function program(source: string): {
  run: (task?: string, line?: { words: string[]; status: number }) => string;
  folder: () => string;
  bundle: string;
} {
  const home = scratchDirectory();
  const bundle = join(home, "dist", "story.cjs");
  for (const part of ["bin", "dist"]) mkdirSync(join(home, part));
  for (const name of ["majordomus", "compiled.js", "package.json"])
    cpSync(join(ROOT, "bin", name), join(home, "bin", name));
  writeFileSync(bundle, marked(source));
  writeFileSync(join(home, "dist", "other.cjs"), marked(`exports.word = "other";`));
  const start = `require(${JSON.stringify(join(home, "bin", "majordomus"))}).run("story.cjs", process.argv[1])`;
  return {
    bundle,
    run: (task = "Tell", line = { words: [], status: 0 }) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", start, task, ...line.words], {
        encoding: "utf8",
      });
      expect({ status, stderr }).toEqual({ status: line.status, stderr: "" });
      return stdout;
    },
    folder: () => {
      const compiled = join(home, "dist", "compiled");
      return join(compiled, readdirSync(compiled)[0] ?? "");
    },
  };
}

const STORY = `const tell = () => console.log(require("./other.cjs").word, "first"); tell();`;

test("what was compiled is kept once for each task and bundle, and says the same again", () => {
  const { run, folder } = program(STORY);
  expect(run()).toBe("other first\n");
  expect(readdirSync(folder()).toSorted()).toEqual(["other.cjs.Tell", "story.cjs.Tell"]);
  const kept = readFileSync(join(folder(), "story.cjs.Tell"));
  expect(run()).toBe("other first\n");
  expect(readFileSync(join(folder(), "story.cjs.Tell"))).toEqual(kept);
});

test("another source of the same length is compiled, not mistaken for the one that was kept", () => {
  const { run, bundle } = program(STORY);
  run();
  writeFileSync(bundle, marked(STORY.replace("first", "later")));
  expect(run()).toBe("other later\n");
});

test.each([
  ["a byte of it is changed", (kept: Buffer) => kept.fill(kept.readUInt8(200) ^ 0xff, 200, 201)],
  ["its end is missing", (kept: Buffer) => kept.subarray(0, kept.length - 100)],
  ["nothing of it is left", () => Buffer.alloc(0)],
  ["it is all zeros", (kept: Buffer) => Buffer.alloc(kept.length)],
])("a compiled form that is damaged is left aside: %s", (_, damage) => {
  const { run, folder } = program(STORY);
  run();
  const path = join(folder(), "story.cjs.Tell");
  writeFileSync(path, damage(readFileSync(path)));
  expect(run()).toBe("other first\n");
});

test("nothing is kept for a task that is no plain word", () => {
  const { run, bundle } = program(STORY);
  for (const task of ["../up", "two words", "", "x".repeat(40)]) expect(run(task)).toBe("other first\n");
  expect(readdirSync(dirname(bundle)).toSorted()).toEqual(["other.cjs", "story.cjs"]);
});

test("nothing is kept of a line that was not understood: the next one would find next to nothing compiled", () => {
  const { run, bundle } = program(`${STORY} process.exitCode = process.argv[2] === "wrong" ? 2 : 0;`);
  expect(run("Tell", { words: ["wrong"], status: 2 })).toBe("other first\n");
  expect(readdirSync(dirname(bundle)).toSorted()).toEqual(["other.cjs", "story.cjs"]);
  expect(run("Tell", { words: ["right"], status: 0 })).toBe("other first\n");
  expect(readdirSync(dirname(bundle)).toSorted()).toEqual(["compiled", "other.cjs", "story.cjs"]);
});

test("nothing is kept of a bundle that the build has not marked", () => {
  const { run, bundle } = program(STORY);
  for (const name of ["story.cjs", "other.cjs"]) {
    const path = join(dirname(bundle), name);
    writeFileSync(path, readFileSync(path, "utf8").replace(/\/\/.*\n$/u, ""));
  }
  expect(run()).toBe("other first\n");
  expect(readdirSync(dirname(bundle)).toSorted()).toEqual(["other.cjs", "story.cjs"]);
});

test("an installation that cannot be written to runs as well", () => {
  const { run, bundle } = program(STORY);
  writeFileSync(join(dirname(bundle), "compiled"), "a file in the way\n");
  expect(run()).toBe("other first\n");
});
