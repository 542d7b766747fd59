import type { ConsoleState } from "./store.ts";
import { focusedPane } from "./store.ts";
import { filterRows } from "./model/filter.ts";
import { positionOf } from "./model/rows.ts";
import type { Row } from "./model/rows.ts";
import { FOLLOWING } from "./places.ts";
import type { PaneId } from "./places.ts";
import { RECIPES } from "./recipes.ts";
import type { Recipe } from "./recipes.ts";

/** The rows of a pane; the same array as long as nothing that they are made of changed. */
export interface RowSource {
  (state: ConsoleState, pane: PaneId): readonly Row[];
  /** How many rows there are without the filter; undefined where the rows come filtered. */
  totalOf(state: ConsoleState, pane: PaneId): number | undefined;
}

interface Known {
  inputs: readonly unknown[];
  rows: readonly Row[];
  total: number | undefined;
}

function stampOf(row: Row): string {
  return row.kind === "line" ? row.line.ts : "";
}

function byTime(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((one, other) =>
    stampOf(one) < stampOf(other) ? -1 : Number(stampOf(one) > stampOf(other)),
  );
}

/** Makes a row source with its own memory: one per console. */
export function createRowSource(): RowSource {
  const memory = new Map<PaneId, Known>();
  const know = (state: ConsoleState, pane: PaneId): Known => {
    const recipe = RECIPES[pane];
    const filter = state.filters[pane] ?? "";
    const inputs = [filter, state.showClosed, ...state.roots.flatMap((root) => partsOf(state, root, recipe))];
    const known = memory.get(pane);
    if (known !== undefined && inputs.every((part, index) => part === known.inputs[index])) return known;
    const all = state.roots.flatMap((root) => {
      const slices = state.repositories[root];
      return slices === undefined ? [] : recipe.build(root, slices, state);
    });
    const ordered = FOLLOWING.has(pane) && state.roots.length > 1 ? byTime(all) : all;
    const filtered = recipe.filtered === true;
    const rows = filtered ? ordered : filterRows(ordered, filter);
    const fresh = { inputs, rows, total: filtered ? undefined : ordered.length };
    memory.set(pane, fresh);
    return fresh;
  };
  return Object.assign((state: ConsoleState, pane: PaneId) => know(state, pane).rows, {
    totalOf: (state: ConsoleState, pane: PaneId) => know(state, pane).total,
  });
}

function partsOf(state: ConsoleState, root: string, recipe: Recipe): unknown[] {
  return recipe.slices.map((name) => state.repositories[root]?.[name].data);
}

/** The row under the cursor of a pane. */
export function selectedRow(state: ConsoleState, rowsOf: RowSource, pane: PaneId): Row | undefined {
  const rows = rowsOf(state, pane);
  return rows[positionOf(rows, state.cursors[pane], FOLLOWING.has(pane))];
}

/** The row that an action would act on. */
export function currentRow(state: ConsoleState, rowsOf: RowSource): Row | undefined {
  return selectedRow(state, rowsOf, focusedPane(state));
}
