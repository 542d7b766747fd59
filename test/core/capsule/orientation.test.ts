import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { composeOrientation, gatherOrientation } from "../../../src/core/capsule/orientation.ts";
import type { MemoryTree } from "../../../src/core/capsule/memory-tree.ts";
import { capsuleText, newTree, NOW, put, select, textOf } from "./support/memory.ts";

const orient = (tree: MemoryTree, bytes = 2500): string =>
  composeOrientation(gatherOrientation(tree, select(tree), NOW), bytes);

describe("an orientation", () => {
  it("points to the newest capsule, with its age and its rulings, and spends nothing", () => {
    const tree = newTree();
    put(tree, "one.md", capsuleText());
    put(tree, "spent.md", capsuleText({ status: "resumed" }));
    const text = orient(tree);
    expect(text).toContain('path: "vault/memory/capsules/one.md"');
    expect(text).toContain("[REFERENCE ONLY]");
    expect(text).toContain('objective: "Move the parser to streaming reads"');
    expect(text).toMatch(/age: 3h old .*; curated/);
    expect(text).toContain("not selected: 1x already-consumed");
    expect(text).toContain("Pending-Gates and Claimed-Rows must be re-verified");
    expect(textOf(tree, "one.md")).toBe(capsuleText());
  });

  it("says when there is none, and why", () => {
    const tree = newTree();
    expect(orient(tree)).toBe("No capsule could be resumed now (no-capsules-on-disk).\n");
    put(tree, "a.md", "x");
    expect(orient(tree)).toContain("(all-candidates-rejected).\n  not selected: 1x no-frontmatter");
  });

  it("says when the chosen one is gone by the time it is read", () => {
    const tree = newTree();
    const path = put(tree, "one.md", capsuleText());
    const selection = select(tree);
    rmSync(path);
    const text = composeOrientation(gatherOrientation(tree, selection, NOW), 2500);
    expect(text).toContain('"vault/memory/capsules/one.md", could not be read any more');
  });

  it("tells what is hot and where the log begins, quoted", () => {
    const tree = newTree();
    writeFileSync(
      tree.heatIndex,
      JSON.stringify({ hot_top_20: ["a.ts", { path: "b\nc.ts" }, 5, "d", "e", "f", "g"] }),
    );
    writeFileSync(tree.sessionLog, "# Log\ntext\n\n## 2026-11-30 \u202e the parser\nx\n## older\n");
    const text = orient(tree);
    expect(text).toContain('Hot: "a.ts", "b c.ts", "d", "e"\n');
    expect(text).toContain('Session log begins: "2026-11-30 \\u{202e} the parser"\n');
    for (const bad of ["{", "[]", "null", '{"hot": 5}']) {
      writeFileSync(tree.heatIndex, bad);
      expect(orient(tree)).not.toContain("Hot:");
    }
  });

  it("puts the identity behind the pointer, safe to show, and announces its cut", () => {
    const tree = newTree();
    put(tree, "one.md", capsuleText());
    mkdirSync(join(tree.base, "vault"), { recursive: true });
    writeFileSync(join(tree.base, "vault/identity-core.md"), `I am \u001b[31mme\n${"line\n".repeat(2000)}`);
    const text = orient(tree);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2500);
    expect(text.indexOf("Identity:\n  I am ␛[31mme\n")).toBeGreaterThan(text.indexOf("path: "));
    expect(text.trimEnd()).toMatch(/identity-core\.md goes on; the rest was left out here$/);
  });

  it.each(["x", "字", "😀", "\u202e"])(
    "stays within its bytes with the longest values in %j",
    (character) => {
      const tree = newTree();
      const long = JSON.stringify(character.repeat(5000));
      put(tree, "one.md", capsuleText({ objective: long, next_valid_action: long, waiting_on: long }));
      writeFileSync(tree.heatIndex, JSON.stringify({ hot: Array(9).fill(character.repeat(900)) }));
      writeFileSync(tree.sessionLog, `## ${character.repeat(900)}\n`);
      const text = orient(tree);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2500);
      expect(text).toContain("next_valid_action: ");
    },
  );
});
