import type { Desk } from "../desk.ts";
import type { Row } from "../model/rows.ts";
import { currentRow } from "../row-source.ts";
import { focusedPane } from "../store.ts";

/** The rows that an action is meant for: the marked ones of this pane, else the one under the cursor. */
export function chosenRows(desk: Desk): readonly Row[] {
  const state = desk.store.getState();
  const row = currentRow(state, desk.rowsOf);
  const marked = desk.rowsOf(state, focusedPane(state)).filter((candidate) => state.marks.has(candidate.id));
  // An action runs in one repository: that of the cursor.
  const rows = marked.filter((candidate) => candidate.root === (row?.root ?? candidate.root));
  if (rows.length > 0) return rows;
  return row === undefined ? [] : [row];
}
