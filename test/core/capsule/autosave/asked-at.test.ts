import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { askedAt } from "../../../../src/core/capsule/autosave/asked-at.ts";
import { claimNewest } from "../../../../src/core/capsule/spend.ts";
import { steadyPatience } from "../../../../src/core/base/patience.ts";
import { capsuleText, newTree, NOW, put, select } from "../support/memory.ts";
import { assistant, converse } from "./support.ts";

const MINUTE = 60_000;
const at = (minutesAgo: number): string => new Date(NOW - minutesAgo * MINUTE).toISOString();
const spoken = (minutesAgo: number): object => ({ timestamp: at(minutesAgo) });

describe("the time by which an autosave stands among the others", () => {
  it("is that of the last request, whatever else the conversation goes on with", () => {
    const talk = converse();
    talk.say("Add jittered retry to the uploader", spoken(50));
    talk.capture();
    expect(talk.field("created_at")).toBe(at(50));
    expect(talk.field("updated_at")).toBe(at(0));
    talk.add(assistant({ type: "text", text: "Going on by myself." }));
    talk.say("continue", spoken(30));
    talk.capture();
    expect(talk.field("created_at")).toBe(at(50));
    talk.say("And release it this evening then", spoken(20));
    talk.capture();
    expect(talk.field("created_at")).toBe(at(20));
  });

  it("never goes back", () => {
    const talk = converse();
    talk.say("Add jittered retry to the uploader", spoken(10));
    talk.capture();
    talk.say("This row comes from an earlier time", spoken(40));
    talk.capture();
    expect(talk.field("created_at")).toBe(at(10));
  });

  it("leaves the capsule that the same turn wrote before it, until the next request", () => {
    const talk = converse();
    put(talk.tree, "earlier.md", capsuleText({ created_at: at(45) }));
    talk.say("Write down where we stand, please", spoken(30));
    put(talk.tree, "curated.md", capsuleText({ created_at: at(1) }));
    talk.capture();
    expect(select(talk.tree).capsule?.name).toBe("curated.md");
    talk.say("One more thing before we clear it", spoken(0));
    const { capsule } = talk.capture();
    expect(select(talk.tree).capsule?.name).toBe(capsule);
  });

  it("is the session's own: the one that was last asked for something comes back", () => {
    const tree = newTree();
    const mornings = converse(tree);
    const afternoons = converse(tree);
    mornings.say("Move the parser to streaming reads", spoken(60));
    mornings.capture(undefined, "morning");
    afternoons.say("Correct the typo of last Tuesday", spoken(40));
    afternoons.capture(undefined, "afternoon");
    mornings.say("Now measure what the parser takes", spoken(5));
    const { capsule } = mornings.capture(undefined, "morning");
    const claim = claimNewest(tree, { now: NOW, patience: steadyPatience(100) });
    expect(claim.loaded?.name).toBe(capsule);
  });

  it("begins anew after a spend", () => {
    const talk = converse();
    talk.say("Add jittered retry to the uploader", spoken(50));
    talk.capture();
    claimNewest(talk.tree, { now: NOW, patience: steadyPatience(100) });
    talk.add(assistant({ type: "text", text: "It is released now." }));
    expect(talk.capture().capsule).toContain("-2.md");
    expect(talk.field("created_at")).toBe(at(0));
  });

  it("is now, where no row says when, or says what cannot be", () => {
    for (const requestedAt of [undefined, NOW + 1, NOW - 24 * 60 * MINUTE, 0, Number.MIN_SAFE_INTEGER]) {
      expect(askedAt({ requestedAt }, NOW)).toBe(at(0));
    }
    fc.assert(
      fc.property(fc.integer(), (requestedAt) => {
        const asked = Date.parse(askedAt({ requestedAt }, NOW));
        expect(asked).toBeLessThanOrEqual(NOW);
        expect(asked).toBeGreaterThan(NOW - 24 * 60 * MINUTE);
      }),
    );
  });
});
