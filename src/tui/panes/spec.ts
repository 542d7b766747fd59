import type { Look } from "../look.ts";
import type { Line } from "../model/line.ts";
import type { Row } from "../model/rows.ts";
import type { ConsoleState } from "../store.ts";
import type { SliceName } from "../questions.ts";

/** What a row is drawn with beside itself. */
export interface Drawing {
  look: Look;
  now: number;
  width: number;
  /** Every repository's answers: a row may need its ledger. */
  repositories: ConsoleState["repositories"];
}

/** A list pane as data: everything in it is a pure function of the state. */
export interface PaneSpec {
  title: string;
  /** The answer that it waits for. */
  slice: SliceName;
  /** What stands at the right of the title; the one line of a folded pane begins with it. */
  counts: (rows: readonly Row[], state: ConsoleState) => string;
  /** The text of an empty list: why there is nothing. */
  empty: (state: ConsoleState) => string;
  row: (row: Row, drawing: Drawing) => Line;
  /** Lines that stay below the list. */
  foot?: (state: ConsoleState, width: number) => readonly Line[];
}
