import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sharedPatience, steadyPatience } from "../../../src/core/base/patience.ts";
import { commonPaths } from "../../../src/core/checkout/common.ts";
import { appendLines } from "../../../src/core/fs/append.ts";
import { withLock } from "../../../src/core/fs/lock.ts";
import { drainSpool, spoolLines } from "../../../src/core/journal/spool.ts";
import { spoolIsEmpty } from "../../../src/core/journal/spool-file.ts";
import { scratchDirectory } from "../../support/scratch.ts";

function newStore() {
  const directory = scratchDirectory();
  const common = commonPaths(directory);
  const target = join(directory, "ledger.jsonl");
  const lock = join(directory, "locks", "ledger");
  mkdirSync(join(directory, "locks"));
  const append = (path: string, lines: readonly string[]): void => {
    appendLines(path, lines);
  };
  return { directory, common, target, lock, append };
}

describe("the spool", () => {
  it("drains what waits in the order in which it was put aside", () => {
    const { common, target, lock, append } = newStore();
    for (const line of ["one", "two", "three"]) spoolLines(common, target, lock, [line]);
    expect(drainSpool(common, steadyPatience(1000), append)).toMatchObject({ applied: 3, left: 0 });
    expect(readFileSync(target, "utf8")).toBe("one\ntwo\nthree\n");
    expect(spoolIsEmpty(common)).toBe(true);
  });

  it("does not append again what a drain that was killed had appended already", () => {
    const { common, target, lock, append } = newStore();
    writeFileSync(target, "before\n");
    spoolLines(common, target, lock, ["one"]);
    spoolLines(common, target, lock, ["two"]);
    appendLines(target, ["one"]);
    drainSpool(common, steadyPatience(1000), append);
    expect(readFileSync(target, "utf8")).toBe("before\none\ntwo\n");
  });

  it("appends a line that stood before the noted offset: equal lines are not the same line", () => {
    const { common, target, lock, append } = newStore();
    writeFileSync(target, "one\n");
    spoolLines(common, target, lock, ["one"]);
    drainSpool(common, steadyPatience(1000), append);
    expect(readFileSync(target, "utf8")).toBe("one\none\n");
  });

  it("keeps everything, in its order, while the target stays locked", () => {
    const { common, target, lock, append } = newStore();
    spoolLines(common, target, lock, ["one"]);
    spoolLines(common, target, lock, ["two"]);
    // Held by this process, and so by nobody that could be waited for.
    withLock(lock, { waitMilliseconds: 100 }, () => {
      expect(drainSpool(common, sharedPatience(50), append)).toMatchObject({ applied: 0, left: 2 });
    });
    drainSpool(common, steadyPatience(1000), append);
    expect(readFileSync(target, "utf8")).toBe("one\ntwo\n");
  });

  it("puts aside what has no target any more, and never throws it away", () => {
    const { common, directory, lock, append } = newStore();
    spoolLines(common, join(directory, "gone", "ledger.jsonl"), lock, ["one"]);
    writeFileSync(join(common.spool, "00000002.json"), "not json");
    expect(drainSpool(common, steadyPatience(1000), append)).toMatchObject({ applied: 0, unusable: 2 });
    expect(readdirSync(join(common.spool, "unusable"))).toHaveLength(2);
  });

  it("is exactly once for any lines and any prefix that was applied before", () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 6 }),
        fc.nat(6),
        (lines, killedAfter) => {
          const { common, target, lock, append } = newStore();
          const distinct = lines.map((line, index) => `${index}-${line}`);
          for (const line of distinct) spoolLines(common, target, lock, [line]);
          appendLines(target, distinct.slice(0, killedAfter));
          drainSpool(common, steadyPatience(1000), append);
          expect(readFileSync(target, "utf8")).toBe(`${distinct.join("\n")}\n`);
        },
      ),
      { numRuns: 20 },
    );
  });
});
