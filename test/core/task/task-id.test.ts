import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isTaskId } from "../../../src/core/base/id.ts";
import { claimTaskId } from "../../../src/core/task/task-id.ts";
import { commonPaths } from "../../../src/core/checkout/common.ts";
import { scratchDirectory } from "../../support/scratch.ts";

describe("a task id", () => {
  it("is one that no worktree of the repository has, however often chance repeats itself", () => {
    const common = commonPaths(scratchDirectory());
    let drawn = 0;
    const random = {
      hex: () => {
        drawn += 1;
        return Math.floor(drawn / 3)
          .toString(16)
          .padStart(4, "0");
      },
    };
    const clock = { now: () => Date.parse("2026-09-04T12:00:00Z") };
    const ids = Array.from({ length: 450 }, () => claimTaskId({ common, clock, random }));
    expect(new Set(ids).size).toBe(450);
    expect(ids.every(isTaskId)).toBe(true);
    expect(readdirSync(join(common.root, "task-ids")).length).toBeLessThan(450);
  });
});
