import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { widthOf } from "../../src/tui/cells.ts";
import { childrenFirst, drawLineage } from "../../src/tui/model/lineage-graph.ts";
import type { LineageNode } from "../../src/tui/model/lineage-graph.ts";
import { sideBySide } from "../../src/tui/model/side-by-side.ts";

function node(id: string, parent?: string, hour = 0): LineageNode {
  return {
    id,
    published_at: `2026-09-04T${String(hour).padStart(2, "0")}:00:00Z`,
    ...(parent === undefined ? {} : { parent }),
  };
}

function drawn(nodes: readonly LineageNode[]): string[] {
  return drawLineage(nodes, () => "●").map(({ node: { id }, graph }) => `${graph} ${id}`);
}

describe("a lineage", () => {
  it("is drawn with a column for each way in which it was gone on with", () => {
    expect(drawn([node("a"), node("b", "a", 1), node("c", "b", 2)])).toEqual(["● c", "● b", "● a"]);
    const forked = [node("a"), node("b", "a", 1), node("c", "a", 2), node("d", "c", 3)];
    expect(drawn(forked)).toEqual(["● d", "● c", "│ ● b", "●─╯ a"]);
    const three = [node("a"), node("b", "a", 1), node("c", "a", 2), node("d", "a", 3), node("e", "c", 4)];
    expect(drawn(three)).toEqual(["● e", "│ ● d", "● │ c", "│ │ ● b", "●─┴─╯ a"]);
  });

  it("shows what leads to nothing that is here, and what goes round in a circle", () => {
    expect(drawn([node("b", "gone")])).toEqual(["● b"]);
    expect(drawn([node("a", "b"), node("b", "a")])).toHaveLength(2);
  });

  it("shows each record once, never before what goes on from it", () => {
    const tree = fc
      .array(fc.tuple(fc.nat(30), fc.nat(23)), { maxLength: 30 })
      .map((pairs) =>
        pairs.map(([parent, hour], index) =>
          node(`r${index}`, index === 0 ? undefined : `r${parent % index}`, hour),
        ),
      );
    fc.assert(
      fc.property(tree, (nodes) => {
        const order = childrenFirst(nodes).map(({ id }) => id);
        expect([...order].toSorted()).toEqual(nodes.map(({ id }) => id).toSorted());
        for (const { id, parent } of nodes) {
          if (parent !== undefined) expect(order.indexOf(id)).toBeLessThan(order.indexOf(parent));
        }
        const rows = drawLineage(nodes, () => "●");
        for (const { graph } of rows) expect(graph.match(/●/gu)).toHaveLength(1);
        const heads = nodes.filter(({ id }) => nodes.every(({ parent }) => parent !== id)).length;
        for (const { graph } of rows) expect(widthOf(graph)).toBeLessThanOrEqual(Math.max(1, heads * 2));
      }),
    );
  });
});

describe("texts side by side", () => {
  it("are as many as have room, each in its own column", () => {
    expect(sideBySide([["one", "two"], ["three"]], 60)).toEqual([
      `one${" ".repeat(25)} │ three`,
      `two${" ".repeat(25)} │`,
    ]);
    expect(sideBySide([["one"], ["two"]], 30)).toEqual(["one", "", "two"]);
    expect(sideBySide([], 30)).toEqual([]);
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.string({ unit: "grapheme" }))),
        fc.integer({ min: 24, max: 200 }),
        (blocks, width) => {
          for (const line of sideBySide(blocks, width)) expect(widthOf(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});
