import type { Look } from "../look.ts";
import type { Line } from "../model/line.ts";
import type { Row } from "../model/rows.ts";
import type { ConsoleState } from "../store.ts";
import type { SliceName } from "../questions.ts";

/** What a row is drawn with beside itself. */
export interface Drawing {
  look: Look;
  now: number;
  /** Cells for the row itself, its repository's name not counted. */
  width: number;
  /** Every repository's answers: a row may need its ledger. */
  repositories: ConsoleState["repositories"];
}

/** A list pane as data: everything in it is a pure function of the state. */
export interface PaneSpec {
  title: string;
  /** The answer that it waits for. */
  slice: SliceName;
  /** Others that its rows are made of: what is wrong with them is said too. */
  also?: readonly SliceName[];
  /** What stands at the right of the title; the one line of a folded pane begins with it. */
  counts: (rows: readonly Row[], state: ConsoleState) => string;
  /** The text of an empty list: why there is nothing. */
  empty: (state: ConsoleState) => string;
  row: (row: Row, drawing: Drawing) => Line;
  /** Its rows are not named by their repository: lines of a text, or of what is selected beside it. @default false */
  unnamed?: boolean;
  /** What each column is, above the list where there is room. */
  head?: (drawing: Drawing) => Line;
  /** Lines that stay below the list; of more than `most` of them the last are cut off. */
  foot?: (state: ConsoleState, width: number, most: number) => readonly Line[];
}

/** Every answer that a pane is made of, the one that it waits for first. */
export function slicesOf({ slice, also = [] }: PaneSpec): readonly SliceName[] {
  return [slice, ...also];
}
