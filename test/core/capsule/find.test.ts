import { afterEach, describe, expect, it } from "vitest";
import { steadyPatience } from "../../../src/core/base/patience.ts";
import { settleCapsule } from "../../../src/core/capsule/author.ts";
import { compactChain } from "../../../src/core/capsule/chain.ts";
import { findCapsule, openFinder } from "../../../src/core/capsule/find.ts";
import type { MemoryTree } from "../../../src/core/capsule/memory-tree.ts";
import { resumeAsked } from "../../../src/core/capsule/resume-named.ts";
import { validateCapsules } from "../../../src/core/capsule/validate-many.ts";
import { injectFaults } from "../../../src/core/fs/fault.ts";
import { fixedClock } from "../../../src/core/base/clock.ts";
import { capsuleText, newTree, NOW, put, textOf } from "./support/memory.ts";

afterEach(() => injectFaults(undefined));

/** How often the directory was listed, and how often a file in it was opened. */
function lookedAt(tree: MemoryTree, action: () => void): { listed: number; opened: number } {
  const seen = { listed: 0, opened: 0 };
  injectFaults({
    before(operation, path) {
      if (operation === "read" && path === tree.capsules) seen.listed += 1;
      if (operation === "open" && path.startsWith(tree.capsules)) seen.opened += 1;
    },
  });
  action();
  injectFaults(undefined);
  return seen;
}

const COUNT = 40;

function treeOfMany(): MemoryTree {
  const tree = newTree();
  for (let number = 0; number < COUNT; number += 1)
    put(
      tree,
      `c${number}.md`,
      capsuleText({ id: `c${number}`, parent_capsule_id: number === 0 ? "null" : `c${number - 1}` }),
    );
  return tree;
}

describe("work on many capsules", () => {
  it("lists the directory once and opens each file a fixed number of times, however many there are", () => {
    const tree = treeOfMany();
    const place = { root: tree.base, environment: {} };
    const all = lookedAt(tree, () => {
      expect(validateCapsules(place, NOW, { capsules: undefined, text: undefined })).not.toEqual([]);
    });
    expect(all.listed).toBe(1);
    expect(all.opened).toBeLessThanOrEqual(2 * COUNT);
    const wanted = Array.from({ length: COUNT }, (_, number) => `c${number}`);
    const named = lookedAt(tree, () => {
      validateCapsules(place, NOW, { capsules: wanted, text: undefined });
    });
    expect(named).toEqual({ listed: 1, opened: 2 * COUNT });
    const files = lookedAt(tree, () => {
      validateCapsules(place, NOW, { capsules: wanted.map((name) => `${name}.md`), text: undefined });
    });
    expect(files).toEqual({ listed: 1, opened: COUNT });
    const chain = lookedAt(tree, () => {
      const means = { clock: fixedClock(NOW), patience: steadyPatience(100) };
      expect(compactChain(tree, `c${COUNT - 1}`, means).state).toBe("compacted");
    });
    expect(chain.listed).toBeLessThanOrEqual(2);
    expect(chain.opened).toBeLessThanOrEqual(3 * COUNT);
  });

  it("reads files for their ids once, of however many that are asked for by id", () => {
    const tree = newTree();
    for (let number = 0; number < COUNT; number += 1)
      put(tree, `file-${number}.md`, capsuleText({ id: `c${number}` }));
    const seen = lookedAt(tree, () => {
      const { find } = openFinder(tree);
      for (let number = 0; number < COUNT; number += 1)
        expect(find(`c${number}`).name).toBe(`file-${number}.md`);
    });
    expect(seen).toEqual({ listed: 1, opened: 2 * COUNT });
  });
});

describe("a name", () => {
  it("is a file's first, whatever other files are called", () => {
    const tree = newTree();
    put(tree, "x.md", capsuleText({ id: "one" }));
    put(tree, "x.md.md", capsuleText({ id: "two" }));
    expect(findCapsule(tree, "x.md").document.text("id")).toBe("one");
    expect(findCapsule(tree, "x.md.md").document.text("id")).toBe("two");
    const found = validateCapsules({ root: tree.base, environment: {} }, NOW, {
      capsules: undefined,
      text: undefined,
    });
    expect(found.filter(({ level }) => level === "FAIL")).toEqual([]);
  });

  it("is no id where several have it", () => {
    const tree = newTree();
    put(tree, "x.md", capsuleText({ id: "same" }));
    put(tree, "y.md", capsuleText({ id: "same" }));
    expect(() => findCapsule(tree, "same")).toThrow(
      expect.objectContaining({ exit: 10, subject: "same", message: 'may mean "x.md" or "y.md"' }),
    );
    expect(() => findCapsule(tree, "")).toThrow(expect.objectContaining({ exit: 12 }));
    for (let number = 0; number < 5; number += 1) put(tree, `z${number}.md`, capsuleText({ id: "same" }));
    expect(() => findCapsule(tree, "same")).toThrow(/ or "z2.md" and 2 more$/);
  });

  it("of one file without its ending is not taken for it where another file has it as its id", () => {
    const tree = newTree();
    put(tree, "c30.md", capsuleText({ id: "c30" }));
    expect(findCapsule(tree, "c30").name).toBe("c30.md");
    put(tree, "host.md", capsuleText({ id: "c30" }));
    const means = { clock: fixedClock(NOW), patience: steadyPatience(100) };
    const facts = { now: NOW, patience: means.patience };
    for (const take of [
      () => findCapsule(tree, "c30"),
      () => settleCapsule(tree, "c30", "resolved", means),
      () => resumeAsked(tree, "c30", true, facts),
      () => resumeAsked(tree, "c30", false, facts),
      () => compactChain(tree, "c30", means),
      () =>
        validateCapsules({ root: tree.base, environment: {} }, NOW, { capsules: ["c30"], text: undefined }),
    ]) {
      expect(take).toThrow(expect.objectContaining({ exit: 10, message: 'may mean "c30.md" or "host.md"' }));
    }
    put(tree, "child.md", capsuleText({ id: "child", parent_capsule_id: "c30" }));
    expect(() => compactChain(tree, "child", means)).toThrow(expect.objectContaining({ subject: "c30" }));
    expect(textOf(tree, "c30.md") + textOf(tree, "host.md")).not.toContain("resumed");
    expect(resumeAsked(tree, "host.md", true, facts).loaded?.name).toBe("host.md");
    expect(findCapsule(tree, "c30.md").document.text("status")).toBe("active");
  });
});
