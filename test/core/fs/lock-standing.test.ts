import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { uptime } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { judgeLock, listLocks, stuckReason } from "../../../src/core/fs/lock-standing.ts";
import { ownProcess } from "../../../src/core/fs/process.ts";
import { scratchDirectory } from "../../support/scratch.ts";

const THEN = 1_790_000_000_000;
const rule = (age: number) => ({ now: () => THEN + age });

function lockOf(content: string, modified = THEN): string {
  const path = join(scratchDirectory(), "lock");
  writeFileSync(path, content);
  utimesSync(path, modified / 1000, modified / 1000);
  return path;
}

const FOREIGN = { token: "00000000", ...ownProcess(), namespace: "pid:[1]" };

describe("judgeLock", () => {
  it("tells of a lock that is not there", () => {
    expect(judgeLock(join(scratchDirectory(), "lock"), rule(0))).toEqual({ state: "absent" });
  });

  it("gives one that was cut short away from its age on, in both directions of time, and names no holder", () => {
    const path = lockOf('{"token":');
    for (const age of [-14_999, 0, 14_999]) {
      expect(judgeLock(path, rule(age))).toStrictEqual({ state: "unknown" });
    }
    for (const age of [-15_000, 15_000, 16_000]) {
      expect(judgeLock(path, rule(age))).toStrictEqual({
        state: "free",
        token: expect.stringMatching(/^[0-9a-f]+$/),
      });
    }
  });

  it("gives one that leaves no proof away from the age that is asked for, and never where none is", () => {
    const path = lockOf(JSON.stringify(FOREIGN));
    const unknown = { state: "unknown", holder: FOREIGN };
    expect(judgeLock(path, { ...rule(999), brokenAfter: 1000 })).toStrictEqual(unknown);
    expect(judgeLock(path, { ...rule(1000), brokenAfter: 1000 })).toMatchObject({
      state: "free",
      holder: FOREIGN,
    });
    expect(judgeLock(path, rule(1e15))).toStrictEqual(unknown);
  });

  it("never gives away what is no file, however old it seems", () => {
    const directory = scratchDirectory();
    mkdirSync(join(directory, "directory"));
    symlinkSync("nowhere", join(directory, "link"));
    for (const name of ["directory", "link"]) {
      const standing = judgeLock(join(directory, name), { ...rule(0), brokenAfter: 1000 });
      expect(standing).toStrictEqual({ state: "unknown" });
      expect(stuckReason(standing)).toBe("what stands there is no lock of ours");
    }
  });

  it("takes one of another boot for left only when this machine was off since", () => {
    const holder = { ...ownProcess(), token: "00000000", boot: "another" };
    const now = Date.now();
    const judged = (age: number) =>
      judgeLock(lockOf(JSON.stringify(holder), now - age), { now: () => now }).state;
    expect(judged(uptime() * 500)).toBe("unknown");
    expect(judged(uptime() * 1000 + 60_000)).toBe("free");
  });
});

describe("listLocks", () => {
  it("tells of each lock where it lies, and of nothing where nothing does", () => {
    const path = lockOf("4711");
    expect(listLocks(join(path, ".."), THEN)).toEqual([{ path, standing: { state: "unknown" } }]);
    expect(listLocks(join(scratchDirectory(), "none"), THEN)).toEqual([]);
  });
});
