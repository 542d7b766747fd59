import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layoutOf, listHeight } from "../../src/tui/layout.ts";
import { VIEWS, viewOf } from "../../src/tui/places.ts";

const views = fc.constantFrom(...VIEWS.map((view) => view.id));

describe("layoutOf", () => {
  it("fills every terminal exactly, with the focused pane open", () => {
    fc.assert(
      fc.property(
        views,
        fc.nat(5),
        fc.integer({ min: 40, max: 300 }),
        fc.integer({ min: 10, max: 120 }),
        fc.record({ open: fc.nat(300), stranded: fc.nat(300) }),
        (view, pick, columns, rows, wanted) => {
          const { panes } = viewOf(view);
          const focus = panes[pick % panes.length] ?? panes[0] ?? "open";
          const layout = layoutOf({ columns, rows }, view, focus, wanted);
          if (layout === undefined) throw new Error("no layout");
          const beside = layout.columns.filter((column) => column.width < columns);
          const below = layout.columns.filter((column) => column.width === columns);
          const heightOf = (column: (typeof beside)[number]): number =>
            column.boxes.reduce((sum, box) => sum + box.height, 0);
          if (beside.length > 0) expect(beside.reduce((sum, column) => sum + column.width, 0)).toBe(columns);
          expect(new Set(beside.map(heightOf)).size).toBeLessThanOrEqual(1);
          const body =
            (beside[0] === undefined ? 0 : heightOf(beside[0])) +
            below.reduce((sum, one) => sum + heightOf(one), 0);
          expect(body + 2 + Number(layout.status) + Number(layout.tabs)).toBe(rows - 1);
          expect(listHeight(layout, focus)).toBeGreaterThan(0);
          for (const box of layout.columns.flatMap((column) => column.boxes)) {
            expect(box.height).toBeGreaterThanOrEqual(box.folded ? 1 : 3);
          }
        },
      ),
    );
  });

  it("knows what is too small", () => {
    expect(layoutOf({ columns: 39, rows: 24 }, "overview", "open", { open: 1, stranded: 1 })).toBeUndefined();
    expect(layoutOf({ columns: 80, rows: 9 }, "overview", "open", { open: 1, stranded: 1 })).toBeUndefined();
  });
});
