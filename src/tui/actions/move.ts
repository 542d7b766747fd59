import { currentLayout } from "../components/app.tsx";
import type { Desk } from "../desk.ts";
import { listHeight } from "../layout.ts";
import { positionOf } from "../model/rows.ts";
import { FOLLOWING, viewOf } from "../places.ts";
import type { PaneId, ViewId } from "../places.ts";
import { focusedPane } from "../store.ts";

/** Puts the cursor of a pane on the row at an index, and keeps it on that record. */
function placeCursor({ store, rowsOf }: Desk, pane: PaneId, index: number): void {
  const state = store.getState();
  const rows = rowsOf(state, pane);
  const place = Math.max(0, Math.min(index, rows.length - 1));
  const row = rows[place];
  // At the end of a list that grows there, the cursor follows the newest row instead of holding one.
  const follows = FOLLOWING.has(pane) && place === rows.length - 1;
  const cursor = row === undefined || follows ? { place } : { id: row.id, place };
  store.setState({ cursors: { ...state.cursors, [pane]: cursor } });
}

/** Moves the cursor by rows. */
export function moveBy(desk: Desk, rows: number): void {
  const state = desk.store.getState();
  const pane = focusedPane(state);
  const list = desk.rowsOf(state, pane);
  if (list.length === 0) return;
  placeCursor(desk, pane, positionOf(list, state.cursors[pane], FOLLOWING.has(pane)) + rows);
}

/** Moves the cursor by what is on the screen. */
export function moveByPage(desk: Desk, direction: 1 | -1): void {
  const state = desk.store.getState();
  const height = listHeight(currentLayout(state, desk.rowsOf), focusedPane(state));
  moveBy(desk, direction * Math.max(1, height - 1));
}

export function moveToEnd(desk: Desk, end: "first" | "last"): void {
  const state = desk.store.getState();
  const pane = focusedPane(state);
  placeCursor(desk, pane, end === "first" ? 0 : desk.rowsOf(state, pane).length - 1);
}

/** Gives the keys to another pane of the view. */
export function focusBy(desk: Desk, step: 1 | -1, around: boolean): void {
  const state = desk.store.getState();
  const { panes } = viewOf(state.view);
  const at = panes.indexOf(focusedPane(state)) + step;
  const index = around ? (at + panes.length) % panes.length : Math.max(0, Math.min(at, panes.length - 1));
  const pane = panes[index];
  if (pane !== undefined) desk.store.setState({ focus: { ...state.focus, [state.view]: pane } });
}

export function showView(desk: Desk, view: ViewId): void {
  desk.store.setState({ view, message: undefined });
}
