import type { HistoryAnswer } from "../core/ledger/answers.ts";
import type { ConsoleState } from "./store.ts";
import { focusedPane } from "./store.ts";
import { filterRows } from "./model/filter.ts";
import {
  actionRow,
  closedRow,
  episodeRow,
  findingRow,
  isLost,
  lineRow,
  positionOf,
  skippedRow,
} from "./model/rows.ts";
import type { Row } from "./model/rows.ts";
import { FOLLOWING } from "./places.ts";
import type { PaneId } from "./places.ts";
import type { SliceName } from "./questions.ts";
import type { Slice, Slices } from "./slices.ts";

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

interface Recipe {
  slices: readonly SliceName[];
  build: (root: string, slices: Slices, state: ConsoleState) => readonly Row[];
  /** The rows come filtered. @default false */
  filtered?: boolean;
}

function episodesWhere(wanted: (lost: boolean) => boolean): Recipe {
  return {
    slices: ["episodes"],
    build: (root, slices) =>
      (slices.episodes.data?.episodes ?? [])
        .filter((episode) => wanted(isLost(episode)))
        .map((episode) => episodeRow(root, episode)),
  };
}

function lineRows(root: string, slice: Slice<HistoryAnswer>): readonly Row[] {
  return (slice.data?.lines ?? []).map((line) => lineRow(root, line));
}

/** The ledger searches itself, deeper than what is at hand; until it has answered, that must do. */
function searched(root: string, slices: Slices, filter: string): readonly Row[] {
  const found = filter !== "" && slices.found.data !== undefined;
  return found ? lineRows(root, slices.found) : filterRows(lineRows(root, slices.history), filter);
}

/** What the read models noticed; two of them may have noticed the same. */
function findingRows(root: string, slices: Slices): readonly Row[] {
  const found = [...(slices.recovery.data?.findings ?? []), ...(slices.episodes.data?.findings ?? [])];
  const rows = found.filter(({ level }) => level !== "OK").map((finding) => findingRow(root, finding));
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

const RECIPES: Readonly<Record<PaneId, Recipe>> = {
  open: episodesWhere((lost) => !lost),
  stranded: episodesWhere((lost) => lost),
  every: {
    slices: ["episodes", "closed"],
    build: (root, slices, state) => [
      ...(slices.episodes.data?.episodes ?? []).map((episode) => episodeRow(root, episode)),
      ...(state.showClosed
        ? (slices.closed.data?.newest ?? []).map((closed) => closedRow(root, closed))
        : []),
    ],
  },
  actions: {
    slices: ["plan", "recovery", "episodes"],
    build: (root, slices) => [
      ...(slices.plan.data?.actions ?? []).map((action) => actionRow(root, action)),
      ...(slices.plan.data?.skipped ?? []).map((skipped) => skippedRow(root, skipped)),
      ...findingRows(root, slices),
    ],
  },
  tail: { slices: ["history"], build: (root, slices) => lineRows(root, slices.history) },
  lines: { slices: ["lines"], build: (root, slices) => lineRows(root, slices.lines) },
  ledger: {
    slices: ["history", "found"],
    build: (root, slices, state) => searched(root, slices, state.filters.ledger ?? ""),
    filtered: true,
  },
};

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
