import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { appendLines } from "../../../src/core/fs/append.ts";
import { withLock } from "../../../src/core/fs/lock.ts";
import { ownProcess } from "../../../src/core/fs/process.ts";
import { createExclusive, publishExclusive, writeAtomic } from "../../../src/core/fs/write.ts";
import { scratchDirectory } from "../../support/scratch.ts";
import { killAtEveryOperation } from "./support/run-job.ts";

const ORPHAN = /^\.tmp\.[0-9a-f]{6,8}$/;

/** What stands in a directory besides temporary files that a kill may leave. */
function settled(directory: string): string[] {
  return readdirSync(directory).filter((name) => !ORPHAN.test(name));
}

describe("killed before any disk operation", () => {
  test("writeAtomic leaves the old version or the new one", async () => {
    const operations = await killAtEveryOperation(
      () => {
        const directory = scratchDirectory();
        const path = join(directory, "file");
        writeFileSync(path, "old");
        return { place: directory, job: { action: "write", path, text: "new" } };
      },
      (directory, killedBefore) => {
        const path = join(directory, "file");
        expect(settled(directory)).toEqual(["file"]);
        const content = readFileSync(path, "utf8");
        expect(killedBefore === undefined ? ["new"] : ["old", "new"]).toContain(content);
        writeAtomic(path, "newer");
        expect(readFileSync(path, "utf8")).toBe("newer");
      },
    );
    expect(operations).toBe(5);
  });

  test("createExclusive leaves a whole file or none", async () => {
    const operations = await killAtEveryOperation(
      () => {
        const directory = scratchDirectory();
        const path = join(directory, "file");
        return { place: directory, job: { action: "create", path, text: "whole" } };
      },
      (directory, killedBefore) => {
        const there = settled(directory).length === 1;
        expect(there || killedBefore !== undefined).toBe(true);
        expect(there ? readFileSync(join(directory, "file"), "utf8") : "whole").toBe("whole");
        expect(createExclusive(join(directory, "file"), "again")).toBe(!there);
      },
    );
    expect(operations).toBe(6);
  });

  test("publishExclusive leaves a whole record under a new name or none", async () => {
    const operations = await killAtEveryOperation(
      () => {
        const directory = scratchDirectory();
        writeFileSync(join(directory, "record-1.md"), "older");
        return { place: directory, job: { action: "publish", directory, text: "whole" } };
      },
      (directory, killedBefore) => {
        expect(readFileSync(join(directory, "record-1.md"), "utf8")).toBe("older");
        const published = settled(directory).filter((name) => name !== "record-1.md");
        expect(killedBefore === undefined ? ["record-2.md"] : ["record-2.md", undefined]).toContain(
          published[0],
        );
        for (const name of published) expect(readFileSync(join(directory, name), "utf8")).toBe("whole");
        const next = publishExclusive(directory, (attempt) => `record-${attempt}.md`, "next");
        expect(next).toBe(join(directory, `record-${published.length + 2}.md`));
      },
    );
    expect(operations).toBe(7);
  });

  test("appendLines loses neither whole lines nor torn bytes, and the next append stands alone", async () => {
    const [whole, torn] = ['{"a":1}\n', '{"b":2,"tex'];
    const operations = await killAtEveryOperation(
      () => {
        const directory = scratchDirectory();
        const path = join(directory, "log");
        writeFileSync(path, whole + torn);
        const kept = join(directory, "torn");
        return { place: directory, job: { action: "append", path, lines: ["one", "two"], kept } };
      },
      (directory, killedBefore) => {
        const path = join(directory, "log");
        const content = readFileSync(path, "utf8");
        const outcomes = [whole + torn, whole, `${whole}one\ntwo\n`];
        expect(killedBefore === undefined ? outcomes.slice(2) : outcomes).toContain(content);
        appendLines(path, ["three"], { keepTorn: (attempt) => join(directory, `torn.${attempt}`) });
        const lines = readFileSync(path, "utf8").slice(whole.length);
        expect(content === outcomes[2] ? ["one\ntwo\nthree\n"] : ["three\n"]).toContain(lines);
        const kept = settled(directory).filter((name) => name.startsWith("torn."));
        expect(kept.length).toBeGreaterThan(0);
        for (const name of kept) expect(readFileSync(join(directory, name), "utf8")).toBe(torn);
      },
    );
    expect(operations).toBeGreaterThan(10);
  });

  // The fourth taking of a burst keeps its ticket, the fifth uses it again: their operations begin at the 32nd.
  test.each([
    ["", 1, 1],
    [" in a burst", 5, 32],
  ])("withLock leaves a lock that the next one gets, and no half line%s", async (_, times, from) => {
    const operations = await killAtEveryOperation(
      () => {
        const directory = scratchDirectory();
        const [lock, path] = [join(directory, "locks", "log"), join(directory, "log")];
        const job = { action: "locked-append", lock, path, line: "line", times, wait: 0 } as const;
        return { place: directory, job };
      },
      (directory, killedBefore) => {
        const path = join(directory, "log");
        const lock = join(directory, "locks", "log");
        withLock(lock, { waitMilliseconds: 0 }, (held) => appendLines(path, ["last"], { lock: held }));
        const lines = readFileSync(path, "utf8").split("\n");
        expect(lines.splice(-2)).toEqual(["last", ""]);
        expect(lines).toEqual(lines.map((_line, index) => `line-${index}`));
        expect(lines.length).toBeGreaterThanOrEqual(killedBefore === undefined ? times : times - 2);
        expect(settled(join(directory, "locks"))).toEqual([]);
      },
      from,
    );
    expect(operations).toBeGreaterThan(from + 9);
  });

  test("the taking over of a dead lock leaves one that the next one takes over", async () => {
    const operations = await killAtEveryOperation(
      () => {
        const directory = scratchDirectory();
        const lock = join(directory, "lock");
        writeFileSync(lock, JSON.stringify({ token: "0123456789abcdef", ...ownProcess(), started: "1" }));
        mkdirSync(join(directory, "logs"));
        const path = join(directory, "logs", "log");
        return {
          place: directory,
          job: { action: "locked-append", lock, path, line: "line", times: 1, wait: 0 },
        };
      },
      (directory) => {
        withLock(join(directory, "lock"), { waitMilliseconds: 0 }, (held) => held.assertHeld());
        expect(settled(directory)).toEqual(["logs"]);
      },
    );
    expect(operations).toBeGreaterThan(10);
  });
});
