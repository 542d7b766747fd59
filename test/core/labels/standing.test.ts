import { describe, expect, it } from "vitest";
import { standingOf } from "../../../src/core/labels/standing.ts";

const HERE = { worktree: "/r", worktreeExists: true, isHere: true, sessionId: "s-1" };

describe("standingOf", () => {
  it.each([
    ["current", { ...HERE, pointerSession: "s-1" }],
    ["open", { ...HERE, pointerSession: "s-2" }],
    ["open", HERE],
    ["foreign", { ...HERE, isHere: false, pointerSession: "s-1" }],
    ["stranded", { ...HERE, isHere: false, worktreeExists: false, pointerSession: "s-1" }],
    ["stranded", { ...HERE, worktreeExists: false }],
    // An old file without a worktree can be neither lost nor another's.
    ["current", { worktreeExists: false, isHere: false, sessionId: "s-1", pointerSession: "s-1" }],
    ["open", { worktree: "", worktreeExists: false, isHere: false, sessionId: "s-1" }],
  ] as const)("%s for %j", (standing, facts) => {
    expect(standingOf(facts)).toBe(standing);
  });
});
