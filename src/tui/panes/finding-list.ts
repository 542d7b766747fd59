import { GLYPH } from "../glyphs.ts";
import type { Cell, Column } from "../model/columns.ts";
import { countLevels } from "../model/health-rows.ts";
import { LEVEL_TONE } from "../model/labels.ts";
import { show, span } from "../model/line.ts";
import { pathFrom } from "../model/names.ts";
import type { Row } from "../model/rows.ts";
import type { ConsoleState } from "../store.ts";
import { arrangeRow } from "./arrange-row.ts";
import type { Drawing, PaneSpec } from "./spec.ts";

const COLUMNS: readonly Column[] = [
  { width: 5 },
  { width: 11, from: 50 },
  { width: 14, from: 64, middle: true },
  { width: 14, grow: true },
];

function cellsOf(row: Row, { look }: Drawing): Cell[] {
  if (row.kind !== "finding") return [];
  const { level, category, subject, message } = row.finding;
  const quiet = level === "OK" || level === "INFO";
  return [
    span(level, LEVEL_TONE[level]),
    span(show(category), "muted"),
    span(pathFrom(row.root, subject, look.home)),
    span(show(message), quiet ? "muted" : "plain"),
  ];
}

function empty(state: ConsoleState): string {
  const judged = state.roots.some((root) => state.repositories[root]?.doctor.data !== undefined);
  return judged ? "nothing was found" : "";
}

/** What the judges found, the worst first. */
export const FINDINGS: PaneSpec = {
  title: "Health",
  slice: "doctor",
  also: ["check", "watch"],
  // `1 FAIL · 6 DRIFT · 2 WARN`: every level that there is.
  counts: (rows) =>
    countLevels(rows)
      .map(({ level, count }) => `${count} ${level}`)
      .join(` ${GLYPH.dot} `),
  empty,
  row: (row, drawing) => arrangeRow(row, COLUMNS, cellsOf(row, drawing), drawing),
};
