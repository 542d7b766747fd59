import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Ancestry } from "../../../src/core/git/divergence-index.ts";
import { labelDivergence } from "../../../src/core/labels/divergence.ts";
import { Divergence } from "../../../src/core/labels/terms.ts";

const HEAD = "a".repeat(40);
const OTHER = "b".repeat(40);
const RELATIONS: Ancestry["relation"][] = ["exact", "ancestor", "not_ancestor", "absent", "unknown"];

function answering(relation: Ancestry["relation"]) {
  return () => ({ relation, reason: `it is ${relation}` });
}

function mustNotAsk(): never {
  throw new Error("git was asked in vain");
}

describe("labelDivergence", () => {
  it.each([
    ["ancestor", "advanced"],
    ["not_ancestor", "diverged"],
    ["absent", "diverged"],
    ["unknown", "unknown"],
    ["exact", "exact"],
  ] as const)("calls a commit that is %s %s, with git's reason", (relation, divergence) => {
    const label = labelDivergence(
      { branch: "main", head: OTHER },
      { branch: "main", head: HEAD },
      answering(relation),
    );
    expect(label).toEqual({ divergence, reason: `it is ${relation}` });
  });

  it("looks at the branch before anything else", () => {
    for (const head of [HEAD, OTHER, "NONE", "", undefined]) {
      const recorded = head === undefined ? { branch: "topic" } : { branch: "topic", head };
      expect(labelDivergence(recorded, { branch: "main", head: HEAD }, mustNotAsk)).toEqual({
        divergence: "different_context",
        reason: "recorded on topic, here is main",
      });
    }
    const unborn = labelDivergence(
      { branch: "topic", head: OTHER },
      { branch: "main", head: undefined },
      mustNotAsk,
    );
    expect(unborn.divergence).toBe("different_context");
  });

  it("is exact at the same commit, without asking git, detached too", () => {
    for (const branch of ["main", "DETACHED"]) {
      expect(labelDivergence({ branch, head: HEAD }, { branch, head: HEAD }, mustNotAsk).divergence).toBe(
        "exact",
      );
    }
  });

  it("tells a detached HEAD from a branch", () => {
    const label = labelDivergence(
      { branch: "DETACHED", head: HEAD },
      { branch: "main", head: HEAD },
      mustNotAsk,
    );
    expect(label.divergence).toBe("different_context");
  });

  it.each([
    [undefined, "no commit recorded"],
    ["", "no commit recorded"],
    ["NONE", "recorded before the first commit"],
    [HEAD.slice(0, 7), "the recorded commit is not a full commit id"],
    ["--all", "the recorded commit is not a full commit id"],
  ])("is unknown for the recorded commit %j", (head, reason) => {
    const recorded = head === undefined ? { branch: "main" } : { branch: "main", head };
    const label = labelDivergence(recorded, { branch: "main", head: HEAD }, mustNotAsk);
    expect(label).toEqual({ divergence: "unknown", reason });
  });

  it("is unknown while there are no commits", () => {
    const label = labelDivergence(
      { branch: "main", head: OTHER },
      { branch: "main", head: undefined },
      mustNotAsk,
    );
    expect(label).toEqual({ divergence: "unknown", reason: "no commits yet" });
  });

  it("judges a record that names no branch by its commit", () => {
    const label = labelDivergence({ head: OTHER }, { branch: "main", head: HEAD }, answering("ancestor"));
    expect(label.divergence).toBe("advanced");
  });

  it("always gives one of the labels and a reason, and unknown only where git or the record is silent", () => {
    const branch = fc.constantFrom("", "main", "topic", "DETACHED");
    const head = fc.constantFrom("", "NONE", HEAD, OTHER, "b".repeat(64), "junk");
    const relation = fc.constantFrom(...RELATIONS);
    fc.assert(
      fc.property(
        branch,
        head,
        branch,
        fc.option(fc.constantFrom(HEAD, OTHER)),
        relation,
        (b, h, here, now, answer) => {
          const label = labelDivergence(
            { branch: b, head: h },
            { branch: here, head: now ?? undefined },
            answering(answer),
          );
          expect(Divergence.options).toContain(label.divergence);
          expect(label.reason).not.toBe("");
          const silent = answer === "unknown" || now === null || ["", "NONE", "junk"].includes(h);
          expect(label.divergence === "unknown" && !silent).toBe(false);
          expect(label.divergence === "different_context" && b === here).toBe(false);
        },
      ),
    );
  });
});
