import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  MATCH_TIERS,
  resolve,
  tierOf,
  type Candidate,
  type MatchTier,
} from "../../../src/core/labels/resolution.ts";

const HERE = { repositoryId: "/r/.git", worktree: "/r", branch: "main" };
const DETACHED = { ...HERE, branch: "DETACHED" };

function record(changes: Partial<Candidate> = {}): Candidate {
  return {
    path: "a.md",
    repositoryId: "/r/.git",
    worktree: "/r",
    branch: "main",
    createdAt: "2026-09-04T10:00:00Z",
    rank: 1,
    ...changes,
  };
}

function isTime(text: string): boolean {
  return text.startsWith("2026");
}

describe("tierOf", () => {
  it.each([
    ["same_worktree_same_branch", {}, HERE],
    ["same_branch", { worktree: "/elsewhere" }, HERE],
    ["same_branch", { worktree: "continuity:0123" }, HERE],
    [undefined, { branch: "topic" }, HERE],
    [undefined, { worktree: "/elsewhere", branch: "topic" }, HERE],
    [undefined, { repositoryId: "/other/.git" }, HERE],
    ["same_worktree_same_branch", { branch: "DETACHED" }, DETACHED],
    [undefined, { branch: "DETACHED", worktree: "/elsewhere" }, DETACHED],
    [undefined, {}, DETACHED],
  ] as const)("%s for %j", (tier, changes, here) => {
    expect(tierOf(record(changes), here)).toBe(tier);
  });
});

describe("resolve", () => {
  it("finds nothing among nothing, and nothing among strangers", () => {
    expect(resolve([], HERE)).toBeUndefined();
    expect(resolve([record({ branch: "topic" })], HERE)).toBeUndefined();
  });

  it("takes the lower tier however old, and says which it was", () => {
    const old = record({ createdAt: "2020-01-01T00:00:00Z", rank: 0 });
    const resumed = record({ worktree: "continuity:0123", rank: 9 });
    expect(resolve([resumed, old], HERE)).toEqual({ record: old, tier: "same_worktree_same_branch" });
    expect(resolve([resumed], HERE)).toEqual({ record: resumed, tier: "same_branch" });
  });

  it("takes the newest of a tier, then the later in the ledger, then the greatest path", () => {
    const newest = record({ createdAt: "2026-09-04T11:00:00Z", rank: 0 });
    expect(resolve([record({ rank: 5 }), newest, record({ rank: 6 })], HERE)?.record).toBe(newest);
    const later = record({ rank: 6 });
    expect(resolve([record({ rank: 5 }), later, record({ rank: -1 })], HERE)?.record).toBe(later);
    const last = record({ path: "b.md" });
    expect(resolve([last, record()], HERE)?.record).toBe(last);
  });

  it("keeps to one task when one is named", () => {
    const mine = record({ taskId: "t-1", createdAt: "2026-01-01T00:00:00Z" });
    expect(resolve([record({ taskId: "t-2" }), record(), mine], HERE, "t-1")?.record).toBe(mine);
    expect(resolve([record()], HERE, "t-1")).toBeUndefined();
  });

  it("never takes a time that lies ahead, or is none, for the newest", () => {
    const now = Date.parse("2026-09-04T12:00:00Z");
    const ahead = record({ path: "z.md", createdAt: "2026-09-04T15:00:00Z", rank: 1 });
    const junk = record({ path: "zz.md", createdAt: "tomorrow", rank: 2 });
    const normal = record({ createdAt: "2026-09-04T11:59:59Z", rank: 0 });
    expect(resolve([ahead, normal, junk], HERE, undefined, now)?.record).toBe(normal);
    expect(resolve([ahead, normal, junk], HERE)?.record).toBe(ahead);
    // With nothing better it is still found, and its label then says what is wrong with it.
    expect(resolve([ahead], HERE, undefined, now)?.record).toBe(ahead);
    expect(resolve([junk, ahead], HERE, undefined, now)?.record).toBe(junk);
  });

  it("counts a time that is this very moment", () => {
    const now = Date.parse("2026-09-04T12:00:00Z");
    const just = record({ createdAt: "2026-09-04T12:00:00Z", rank: 0 });
    const before = record({ createdAt: "2026-09-04T11:59:59Z", rank: 9 });
    expect(resolve([before, just], HERE, undefined, now)?.record).toBe(just);
    expect(resolve([just, before], HERE, undefined, now)?.record).toBe(just);
  });

  it("asks for no task where none is named, and keeps the first of two that are alike in everything", () => {
    const ofTask = record({ taskId: "t-1" });
    const twin = record({ taskId: "t-2" });
    expect(resolve([ofTask], HERE)?.record).toBe(ofTask);
    expect(resolve([ofTask, twin], HERE)?.record).toBe(ofTask);
    expect(resolve([twin, ofTask], HERE)?.record).toBe(twin);
  });

  it("does not depend on the order of the listing, and nothing left over would have been better", () => {
    const candidate = fc.record({
      path: fc.constantFrom("a.md", "b.md", "ä.md", "\u{1F600}.md"),
      repositoryId: fc.constantFrom("/r/.git", "/other/.git"),
      worktree: fc.constantFrom("/r", "/w"),
      branch: fc.constantFrom("main", "DETACHED", "topic"),
      createdAt: fc.constantFrom("2026-09-04T10:00:00Z", "2026-09-04T11:00:00Z", "junk", ""),
      rank: fc.integer({ min: -1, max: 2 }),
    });
    const here = fc.constantFrom(HERE, DETACHED);
    fc.assert(
      fc.property(fc.array(candidate, { maxLength: 8 }), here, (candidates, place) => {
        const found = resolve(candidates, place);
        expect(resolve(candidates.toReversed(), place)).toEqual(found);
        const matching = candidates.filter((entry) => tierOf(entry, place) !== undefined);
        expect(found === undefined).toBe(matching.length === 0);
        const better = matching.filter((entry) => {
          const tier = MATCH_TIERS.indexOf(tierOf(entry, place) as MatchTier);
          const best = MATCH_TIERS.indexOf((found as { tier: MatchTier }).tier);
          const chosen = found?.record.createdAt ?? "";
          const newer = isTime(entry.createdAt) && !(isTime(chosen) && chosen >= entry.createdAt);
          return tier < best || (tier === best && newer);
        });
        expect(better).toEqual([]);
      }),
    );
  });
});
