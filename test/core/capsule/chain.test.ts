import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { fixedClock } from "../../../src/core/base/clock.ts";
import { steadyPatience } from "../../../src/core/base/patience.ts";
import { compactChain } from "../../../src/core/capsule/chain.ts";
import type { Compaction } from "../../../src/core/capsule/chain.ts";
import { CAPSULE_BYTES } from "../../../src/core/capsule/files.ts";
import { findCapsule } from "../../../src/core/capsule/find.ts";
import type { MemoryTree } from "../../../src/core/capsule/memory-tree.ts";
import { claimNewest } from "../../../src/core/capsule/spend.ts";
import { injectFaults } from "../../../src/core/fs/fault.ts";
import type { DiskOperation } from "../../../src/core/fs/fault.ts";
import { capsuleText, hoursAgo, newTree, NOW, put, textOf } from "./support/memory.ts";

const patience = steadyPatience(100);
const DAY = 86_400_000;

/** A chain of capsules c1, the oldest, to c5. */
function newChain(fields: Readonly<Record<string, Readonly<Record<string, string>>>> = {}): MemoryTree {
  const tree = newTree();
  for (let link = 1; link <= 5; link += 1) {
    const id = `c${link}`;
    const parent = link === 1 ? "null" : `c${link - 1}`;
    const text = { id, parent_capsule_id: parent, created_at: hoursAgo(50 - link), ...fields[id] };
    put(tree, `${id}.md`, capsuleText(text));
  }
  return tree;
}

const compact = (tree: MemoryTree, now = NOW): Compaction =>
  compactChain(tree, "c5.md", { clock: fixedClock(now), patience });

const statusOf = (tree: MemoryTree, name: string): string =>
  findCapsule(tree, `${name}.md`).document.text("status");

/** What one clear after the other loads, until there is nothing left. */
function clears(tree: MemoryTree): string[] {
  const loaded: string[] = [];
  for (;;) {
    const one = claimNewest(tree, { now: NOW, patience }).loaded;
    if (one === undefined) return loaded;
    loaded.push(one.id);
  }
}

describe("what a summary stands for", () => {
  it("is history: no clear resumes it, and what was spent or put aside stays that", () => {
    const tree = newChain({ c1: { status: "resumed" }, c2: { status: "abandoned" } });
    const before = textOf(tree, "c3.md");
    expect(compact(tree)).toMatchObject({ state: "compacted", compacted: ["c3", "c2", "c1"] });
    expect(["c1", "c2", "c3"].map((name) => statusOf(tree, name))).toEqual([
      "resumed",
      "abandoned",
      "superseded",
    ]);
    const marked = `\ncompacted_into: "chain-summary-c5-2026-11-30"\n---`;
    expect(textOf(tree, "c3.md")).toBe(before.replace("active", "superseded").replace(/\n---/, marked));
    expect(clears(tree)).toEqual(["c5", "c4"]);
  });

  it("is not touched where one of it has no room for the change", () => {
    const tree = newChain();
    const text = textOf(tree, "c1.md");
    put(tree, "c1.md", text + "a".repeat(CAPSULE_BYTES - text.length));
    expect(() => compact(tree)).toThrow(expect.objectContaining({ exit: 10, subject: "c1.md" }));
    expect(readdirSync(tree.capsules)).toHaveLength(5);
    expect(["c2", "c3"].map((name) => statusOf(tree, name))).toEqual(["active", "active"]);
  });

  it("lies in the capsules directory, whatever the head's id is", () => {
    for (const id of ["x/../../../escaped", "a b", `l${"o".repeat(300)}ng`]) {
      const tree = newChain({ c5: { id } });
      const { summary } = compact(tree);
      expect(summary).toMatch(/^chain-summary-capsule-[0-9a-f]{12}-2026-11-30$/);
      expect(readdirSync(tree.capsules)).toHaveLength(6);
      expect(readdirSync(join(tree.base, "vault/memory")).toSorted()).toEqual(["capsules", "runtime"]);
    }
  });
});

it("a compaction that was cut off anywhere is brought to its end by the next one, on another day", () => {
  const changes = new Set<DiskOperation>(["open", "write", "fsync", "rename", "link", "unlink"]);
  onTestFinished(() => injectFaults(undefined));
  let cut = 0;
  for (let whole = false; !whole; cut += 1) {
    const tree = newChain();
    let seen = 0;
    injectFaults({
      before(operation, path) {
        if (!path.startsWith(tree.capsules) || !changes.has(operation)) return;
        seen += 1;
        if (seen === cut + 1) throw Object.assign(new Error("EIO"), { code: "EIO" });
      },
    });
    try {
      compact(tree);
    } catch {
      // What the next one finds is what counts.
    }
    whole = seen <= cut;
    injectFaults(undefined);
    compact(tree, NOW + DAY);
    const summaries = readdirSync(tree.capsules).filter((name) => name.startsWith("chain-summary-"));
    expect(summaries, `cut at ${cut}`).toHaveLength(1);
    const id = summaries[0]?.slice(0, -3) ?? "";
    expect(textOf(tree, "c4.md")).toContain(`parent_capsule_id: "${id}"`);
    for (const name of ["c1", "c2", "c3"]) {
      expect([
        statusOf(tree, name),
        textOf(tree, `${name}.md`).split(`compacted_into: "${id}"`).length,
      ]).toEqual(["superseded", 2]);
    }
    expect(clears(tree)).toEqual(["c5", "c4"]);
  }
  expect(cut).toBeGreaterThan(20);
});
