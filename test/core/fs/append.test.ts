import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { appendLines } from "../../../src/core/fs/append.ts";
import { injectFaults, parseFaultPlan } from "../../../src/core/fs/fault.ts";
import { LockLost, withLock } from "../../../src/core/fs/lock.ts";
import { scratchDirectory } from "../../support/scratch.ts";
import { diskWorker, runJob } from "./support/run-job.ts";

afterEach(() => injectFaults(undefined));

const line = fc.string({ unit: "grapheme", maxLength: 40 }).map((text) => text.replaceAll("\n", ""));

function linesText(lines: readonly string[]): string {
  return lines.map((text) => `${text}\n`).join("");
}

describe("appended lines", () => {
  test("stand one behind the other, each where the answer says", () => {
    const directory = scratchDirectory();
    const path = join(directory, "log");
    fc.assert(
      fc.property(fc.array(fc.array(line, { maxLength: 4 }), { maxLength: 6 }), (batches) => {
        rmSync(path, { force: true });
        for (const batch of batches) {
          const { offset, size } = appendLines(path, batch);
          const bytes = readFileSync(path);
          expect(bytes.length).toBe(size);
          expect(bytes.subarray(offset).toString()).toBe(linesText(batch));
        }
        appendLines(path, []);
        expect(readFileSync(path, "utf8")).toBe(linesText(batches.flat()));
      }),
      { numRuns: 40 },
    );
  });

  test("go to the disk in one write", () => {
    const seen: string[] = [];
    injectFaults({ before: (operation) => seen.push(operation) });
    appendLines(join(scratchDirectory(), "log"), ["one", "two", "x".repeat(200_000)], { durable: true });
    expect(seen).toEqual(["open", "write", "fsync", "fsync"]);
  });

  test("a file that is made for them has the mode that was asked for", () => {
    const path = join(scratchDirectory(), "log");
    appendLines(path, ["one"], { mode: 0o600 });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("no lines change nothing", () => {
    const path = join(scratchDirectory(), "log");
    writeFileSync(path, "torn");
    expect(appendLines(path, [])).toEqual({ offset: 4, size: 4 });
    expect(readFileSync(path, "utf8")).toBe("torn");
  });

  test("a line with a newline in it is refused whole", () => {
    const path = join(scratchDirectory(), "log");
    expect(() => appendLines(path, ["good", "not\ngood"])).toThrow(expect.objectContaining({ exit: 13 }));
    expect(existsSync(path)).toBe(false);
  });
});

describe("a torn last line", () => {
  test.each([
    ["behind whole lines", '{"a":1}\n', '{"b":2,"tex'],
    ["alone in the file", "", '{"b":2'],
    ["longer than what is read at once", '{"a":1}\n', "x".repeat(200_000)],
    ["that begins at the edge of what is read at once", `${"y".repeat(65_535)}\n`, "x".repeat(65_536)],
    ["of one byte", "\n\n", "{"],
  ])("%s is kept aside, cut off and reported", (_, whole, torn) => {
    const directory = scratchDirectory();
    const path = join(directory, "log");
    writeFileSync(path, whole + torn);
    const result = appendLines(path, ["new"], { keepTorn: (attempt) => join(directory, `torn.${attempt}`) });
    expect(result).toEqual({
      offset: whole.length,
      size: whole.length + 4,
      torn: { offset: whole.length, bytes: torn.length, keptAt: join(directory, "torn.1") },
    });
    expect(readFileSync(path, "utf8")).toBe(`${whole}new\n`);
    expect(readFileSync(join(directory, "torn.1"), "utf8")).toBe(torn);
    expect(statSync(join(directory, "torn.1")).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(["log", "torn.1"]);
  });

  test("never overwrites one that was kept before", () => {
    const directory = scratchDirectory();
    const path = join(directory, "log");
    const kept = ["first", "second", "third"].map((text, index) => {
      writeFileSync(path, `whole\n${text}`);
      return (
        appendLines(path, ["new"], { keepTorn: (n) => join(directory, `torn.${n}`) }).torn?.keptAt ?? index
      );
    });
    expect(kept).toEqual([1, 2, 3].map((number) => join(directory, `torn.${number}`)));
    expect(readFileSync(join(directory, "torn.1"), "utf8")).toBe("first");
  });

  test("stays where it is, and alone on its line, when it may not be kept aside", () => {
    const path = join(scratchDirectory(), "log");
    writeFileSync(path, 'whole\n{"torn');
    expect(appendLines(path, ["new"])).toEqual({ offset: 13, size: 17 });
    expect(readFileSync(path, "utf8")).toBe('whole\n{"torn\nnew\n');
  });

  test("is not cut off when it cannot be kept", () => {
    const directory = scratchDirectory();
    const path = join(directory, "log");
    writeFileSync(path, "whole\ntorn");
    mkdirSync(join(directory, "taken"));
    expect(() => appendLines(path, ["new"], { keepTorn: () => join(directory, "taken") })).toThrow(
      expect.objectContaining({ exit: 13 }),
    );
    injectFaults(parseFaultPlan("ENOSPC@1:write"));
    expect(() => appendLines(path, ["new"], { keepTorn: (n) => join(directory, `torn.${n}`) })).toThrow(
      "ENOSPC",
    );
    expect(readFileSync(path, "utf8")).toBe("whole\ntorn");
    expect(readdirSync(directory)).toEqual(["log", "taken"]);
  });
});

describe("a failing disk", () => {
  test.each(["ENOSPC@1:write", "EIO@1:fsync", "EIO@1:open", "EROFS@1:open"])(
    "%s leaves the log as it was",
    (plan) => {
      const path = join(scratchDirectory(), "log");
      writeFileSync(path, "whole\n");
      injectFaults(parseFaultPlan(plan));
      expect(() => appendLines(path, ["new"], { durable: true })).toThrow(plan.split("@")[0]);
      expect(readFileSync(path, "utf8")).toBe("whole\n");
      appendLines(path, ["new"], { durable: true });
      expect(readFileSync(path, "utf8")).toBe("whole\nnew\n");
    },
  );

  test("a disk that takes only a part of the write has it taken back", () => {
    const directory = scratchDirectory();
    const path = join(directory, "log");
    writeFileSync(path, "whole\n");
    const job = { action: "append", path, lines: ["x".repeat(3000)], kept: join(directory, "torn") };
    // The shell's limit on the size of files cuts a write short as a full disk does.
    const run = spawnSync("sh", [
      "-c",
      'ulimit -f 1; exec "$@"',
      "sh",
      process.execPath,
      diskWorker(),
      JSON.stringify(job),
    ]);
    expect(run.stderr.toString()).toMatch(/only \d+ of 3001 bytes could be written/);
    expect(run.status).toBe(1);
    expect(readFileSync(path, "utf8")).toBe("whole\n");
    expect(readdirSync(directory)).toEqual(["log"]);
  });
});

describe("what is not a regular file", () => {
  test("a FIFO, a directory and a link are refused at once, and the link's aim is untouched", () => {
    const directory = scratchDirectory();
    execFileSync("mkfifo", [join(directory, "fifo")]);
    mkdirSync(join(directory, "directory"));
    writeFileSync(join(directory, "precious"), "whole\n");
    symlinkSync("precious", join(directory, "link"));
    expect(() => appendLines(join(directory, "fifo"), ["new"])).toThrow("is not a regular file");
    expect(() => appendLines(join(directory, "directory"), ["new"])).toThrow("EISDIR");
    expect(() => appendLines(join(directory, "link"), ["new"])).toThrow("ELOOP");
    expect(readFileSync(join(directory, "precious"), "utf8")).toBe("whole\n");
  });
});

describe("under a lock", () => {
  test("a holder that has lost its lock writes nothing and cuts nothing off", () => {
    const directory = scratchDirectory();
    const [path, lock] = [join(directory, "log"), join(directory, "lock")];
    for (const content of ["whole\n", "whole\ntorn"]) {
      writeFileSync(path, content);
      expect(() =>
        withLock(lock, { waitMilliseconds: 0 }, (held) => {
          writeFileSync(lock, "somebody else's");
          appendLines(path, ["new"], { lock: held, keepTorn: (n) => join(directory, `torn.${n}`) });
        }),
      ).toThrow(LockLost);
      expect(readFileSync(path, "utf8")).toBe(content);
      rmSync(lock);
    }
  });

  test("processes that append at once lose nothing, double nothing and keep their own order", async () => {
    const directory = scratchDirectory();
    const [path, lock] = [join(directory, "log"), join(directory, "locks", "log")];
    writeFileSync(path, '{"torn');
    const writers = ["a", "b", "c", "d", "e", "f"];
    const ends = await Promise.all(
      writers.map((name) =>
        runJob({ action: "locked-append", lock, path, line: name, times: 60, wait: 30_000 }),
      ),
    );
    expect(ends.map(({ stderr }) => stderr)).toEqual(writers.map(() => ""));
    const lines = readFileSync(path, "utf8").split("\n");
    expect(lines.pop()).toBe("");
    for (const name of writers) {
      const own = lines.filter((text) => text.startsWith(`${name}-`));
      expect(own).toEqual(Array.from({ length: 60 }, (_, time) => `${name}-${time}`));
    }
    expect(lines.length).toBe(writers.length * 60);
    expect(readFileSync(`${path}.torn.1`, "utf8")).toBe('{"torn');
    expect(readdirSync(join(directory, "locks"))).toEqual([]);
  });
});
