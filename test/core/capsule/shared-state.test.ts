import { existsSync, mkdirSync, readFileSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixedClock } from "../../../src/core/base/clock.ts";
import { sharedPatience, steadyPatience } from "../../../src/core/base/patience.ts";
import { failed, ok } from "../../../src/core/base/result.ts";
import { pointAt } from "../../../src/core/capsule/point.ts";
import { writeReceipt } from "../../../src/core/capsule/receipt.ts";
import { changeState } from "../../../src/core/capsule/shared-state.ts";
import { scratchDirectory } from "../../support/scratch.ts";
import { capsuleText, newTree, NOW, put } from "./support/memory.ts";

const clock = fixedClock(NOW);
const MEANS = { clock, patience: steadyPatience(60) };

/** A lock as another program of the memory tree leaves it: no start time, no boot. */
const FOREIGN = JSON.stringify({ pid: process.pid, token: "another-program", time: "2026-11-30T12:00:00Z" });

function old(path: string, seconds: number): void {
  const then = Date.now() / 1000 - seconds;
  utimesSync(path, then, then);
}

describe("the lock of shared state", () => {
  it("is `<file>.lock` with pid, token and time while the change is made, and gone afterwards", () => {
    const path = join(scratchDirectory(), "STATE.json");
    writeFileSync(path, "{}");
    const changed = changeState(path, MEANS, (text) => {
      expect(text).toEqual(ok("{}"));
      expect(JSON.parse(readFileSync(`${path}.lock`, "utf8"))).toMatchObject({
        pid: process.pid,
        token: expect.stringMatching(/^[0-9a-f]{16,}$/),
        time: "2026-11-30T12:00:00.000Z",
      });
      return ok({ text: "[]", mode: 0o600, value: "done" });
    });
    expect(changed).toEqual(ok("done"));
    expect(readFileSync(path, "utf8")).toBe("[]");
    expect(readdirSync(dirname(path))).toEqual(["STATE.json"]);
  });

  it("is waited for two seconds at most, whatever patience there is, and that time is spent", () => {
    const path = join(scratchDirectory(), "STATE.json");
    writeFileSync(`${path}.lock`, FOREIGN);
    const patience = sharedPatience(50);
    const change = (): never => {
      throw new Error("must not be asked");
    };
    expect(() => changeState(path, { clock, patience }, change)).toThrow(
      /^ELOCKTIMEOUT: .*STATE[.]json[.]lock/,
    );
    expect(patience.remaining()).toBe(0);
    expect(readFileSync(`${path}.lock`, "utf8")).toBe(FOREIGN);
  });

  it("refuses to write over what somebody wrote without it", () => {
    const path = join(scratchDirectory(), "STATE.json");
    writeFileSync(path, "1");
    const changed = changeState(path, MEANS, () => {
      writeFileSync(path, "2");
      return ok({ text: "3", mode: 0o600, value: true });
    });
    expect(changed).toEqual(failed("STATE.json moved meanwhile (EDRIFT)"));
    expect(readFileSync(path, "utf8")).toBe("2");
  });

  it("keeps the pointer from being written past it, until it is fifteen seconds old", () => {
    const tree = newTree();
    put(tree, "a.md", capsuleText());
    writeFileSync(tree.bodyState, '{"state":{}}');
    const lock = `${tree.bodyState}.lock`;
    writeFileSync(lock, FOREIGN);
    expect(() => pointAt(tree, "a.md", tree.base, MEANS)).toThrow("ELOCKTIMEOUT");
    expect(readFileSync(tree.bodyState, "utf8")).toBe('{"state":{}}');
    old(lock, 20);
    expect(pointAt(tree, "a.md", tree.base, MEANS)).toEqual({ state: "pointed", name: "a.md" });
    expect(existsSync(lock)).toBe(false);
  });

  it("keeps the boot receipt from being written past it, until it is fifteen seconds old", () => {
    const tree = newTree();
    const lock = `${tree.receipt}.lock`;
    mkdirSync(dirname(lock), { recursive: true });
    writeFileSync(lock, "");
    const write = () => writeReceipt(tree, { session: "a", source: "clear" }, MEANS);
    expect(write).toThrow("ELOCKTIMEOUT");
    expect(existsSync(tree.receipt)).toBe(false);
    old(lock, 20);
    expect(write().ok).toBe(true);
    expect(existsSync(lock)).toBe(false);
  });
});
