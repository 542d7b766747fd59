import { afterEach, describe, expect, it } from "vitest";
import { steadyPatience } from "../../../src/core/base/patience.ts";
import { resumeAsked } from "../../../src/core/capsule/resume-named.ts";
import { selectAndRead } from "../../../src/core/capsule/select.ts";
import { injectFaults } from "../../../src/core/fs/fault.ts";
import { capsuleText, hoursAgo, newTree, NOW, put, textOf } from "./support/memory.ts";

const FACTS = { now: NOW, patience: steadyPatience(100) };

afterEach(() => injectFaults(undefined));

describe("a capsule that is named", () => {
  it.each([false, true])(
    "has every other file in the ledger beside it, the newest too (spent: %j)",
    (spend) => {
      const tree = newTree();
      put(tree, "a.md", capsuleText({ id: "a", created_at: hoursAgo(1) }));
      put(tree, "b.md", capsuleText({ id: "b", created_at: hoursAgo(2) }));
      put(tree, "c.md", capsuleText({ id: "c", created_at: hoursAgo(3) }));
      put(tree, "d.md", capsuleText({ id: "d", status: "resumed" }));
      const { loaded, selection, spent } = resumeAsked(tree, "b", spend, FACTS);
      expect([loaded?.name, spent]).toEqual(["b.md", spend]);
      expect(selection.rejected).toEqual([
        { name: "a.md", reason: "not-named", detail: "a clear would resume it" },
        { name: "c.md", reason: "not-newest" },
        { name: "d.md", reason: "already-consumed", detail: "resumed" },
      ]);
      expect(textOf(tree, "a.md")).toContain("status: active");
    },
  );

  it("is not in its own ledger, whether it is the newest or was spent before", () => {
    const tree = newTree();
    put(tree, "a.md", capsuleText({ id: "a" }));
    put(tree, "b.md", capsuleText({ id: "b", status: "resumed" }));
    const names = (wanted: string): string[] =>
      resumeAsked(tree, wanted, false, FACTS).selection.rejected.map(({ name }) => name);
    expect(names("a")).toEqual(["b.md"]);
    expect(names("b")).toEqual(["a.md"]);
  });
});

describe("a selected capsule that cannot be read any more", () => {
  it("is selected anew, or stays in the ledger with its reason", () => {
    const tree = newTree();
    put(tree, "a.md", capsuleText({ id: "a", created_at: hoursAgo(1) }));
    put(tree, "b.md", capsuleText({ id: "b", created_at: hoursAgo(2) }));
    let opened = 0;
    // Both are judged by their heads; the third opening reads the one that was selected.
    const refuse = (whole: (time: number) => boolean): void => {
      opened = 0;
      injectFaults({
        before(operation) {
          if (operation === "open") opened += 1;
          if (operation === "open" && opened % 3 === 0 && whole(opened / 3))
            throw Object.assign(new Error("EIO"), { code: "EIO" });
        },
      });
    };
    refuse((time) => time === 1);
    expect(selectAndRead(tree.memory.root, NOW).capsule?.name).toBe("a.md");
    refuse(() => true);
    const lost = selectAndRead(tree.memory.root, NOW);
    expect(lost).toMatchObject({ capsule: undefined, unavailable: "all-candidates-rejected" });
    expect(lost.rejected).toEqual([
      { name: "a.md", reason: "unreadable" },
      { name: "b.md", reason: "not-newest" },
    ]);
  });
});
