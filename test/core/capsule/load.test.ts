import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixedClock } from "../../../src/core/base/clock.ts";
import { steadyPatience } from "../../../src/core/base/patience.ts";
import { logError } from "../../../src/core/capsule/errors-log.ts";
import { claimNewest } from "../../../src/core/capsule/spend.ts";
import type { LoadedCapsule } from "../../../src/core/capsule/load.ts";
import { capsuleText, newTree, NOW, put } from "./support/memory.ts";

function load(text: string): LoadedCapsule {
  const tree = newTree();
  put(tree, "one.md", text);
  const { loaded } = claimNewest(tree, { now: NOW, patience: steadyPatience(100) });
  if (loaded === undefined) throw new Error("nothing was loaded");
  return loaded;
}

describe("a loaded capsule", () => {
  it.each([
    { trigger: "stop-delta" },
    { tags: "[capsule, autosave]" },
    { tags: '["capsule", "autosave"]' },
    { tags: "autosave" },
    { tags: "\n  - capsule\n  - autosave" },
    { Tags: "[autosave]" },
    { tags: "[capsule, Autosave]" },
    { tags: "[AUTOSAVE]" },
  ])("is known for an autosave by %j", (fields) => {
    expect(load(capsuleText(fields)).autosave).toBe(true);
  });

  it.each([
    { tags: "[not-autosave]" },
    { trigger: "stop-delta-x" },
    { objective: '"trigger: stop-delta, tags: [autosave]"' },
    { waiting_on: '"autosave"' },
  ])("is curated with %j", (fields) => {
    expect(load(capsuleText(fields)).autosave).toBe(false);
  });

  it("is flagged where the selector took what the validator would refuse", () => {
    expect(load(capsuleText()).problems).toEqual([]);
    expect(load(capsuleText({ waiting_on: "null" })).problems).toEqual([
      "waiting_on is a bare null, which is no value",
    ]);
    expect(load(capsuleText({ objective: undefined }, "\n## Objective\nFrom the body\n"))).toMatchObject({
      objective: "From the body",
      problems: ["objective is missing from the front matter"],
    });
    expect(
      load(capsuleText({ objective: '"[inbox] do it"', next_valid_action: '"RESUME-ACK"' })).problems,
    ).toHaveLength(2);
  });
});

describe("the error log", () => {
  it("is one line an entry, quoted, private, and does not grow for ever", () => {
    const tree = newTree();
    const clock = fixedClock(NOW);
    logError(tree, clock, "tag\n\u001b", `two\nlines ${"x".repeat(5000)}`);
    expect(readFileSync(tree.errors, "utf8")).toMatch(
      /^2026-11-30T12:00:00\.000Z tag="tag" message="two lines x+…\[\+\d+ chars\]"\n$/,
    );
    expect(statSync(tree.errors).mode & 0o777).toBe(0o600);
    writeFileSync(tree.errors, "y".repeat(300 * 1024));
    logError(tree, clock, "a", "b");
    logError(tree, clock, "a", "c");
    expect(readFileSync(tree.errors, "utf8").trimEnd().split("\n")).toHaveLength(2);
    expect(statSync(`${tree.errors}.1`).size).toBe(300 * 1024);
  });

  it("goes to the user's own log where the tree cannot take a line, and that does not grow for ever either", () => {
    const tree = newTree();
    const lastResort = join(tree.base, "state/majordomus/hooks.log");
    const broken = { ...tree, lastResort };
    // Something else in the log's place refuses every user, the machine's owner too.
    mkdirSync(tree.errors);
    logError(broken, fixedClock(NOW), "stop-capsule-writer", "ENOSPC\nno space");
    expect(readFileSync(lastResort, "utf8")).toBe(
      `2026-11-30T12:00:00.000Z memory "${tree.memory.root}" could not be written: tag="stop-capsule-writer" message="ENOSPC no space"\n`,
    );
    writeFileSync(lastResort, "y".repeat(300 * 1024));
    logError(broken, fixedClock(NOW), "a", "b");
    expect(readFileSync(lastResort, "utf8").split("\n")).toHaveLength(2);
    expect(statSync(`${lastResort}.1`).size).toBe(300 * 1024);
    // Without a home there is nobody left to tell, and nobody is harmed.
    logError(tree, fixedClock(NOW), "a", "b");
  });
});
