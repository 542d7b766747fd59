import { ageOf } from "../model/age.ts";
import type { Column } from "../model/columns.ts";
import { TRAVEL } from "../model/labels.ts";
import { show, span } from "../model/line.ts";
import { deviceLines, lineageLines, syncCounts } from "../model/sync-lines.ts";
import { arrangeRow } from "./arrange-row.ts";
import type { PaneSpec } from "./spec.ts";

const COLUMNS: readonly Column[] = [
  { width: 1 },
  { width: 12, middle: true },
  { width: 10, middle: true, from: 44 },
  { width: 14, grow: true },
  { width: 4, align: "right" },
];

/** What other machines left for this one, and how the lines stand. */
export const SYNC: PaneSpec = {
  title: "Sync",
  slice: "sync",
  // Only for the names of machines in the lineage.
  also: ["travelling"],
  counts: (_, state) => syncCounts(state),
  empty: () => "no other machine left anything to resume here",
  row: (row, drawing) => {
    if (row.kind !== "travel") return [];
    const { record, standing, graph } = row;
    const cells = [
      span(graph, TRAVEL[standing].tone),
      span(show(record.device.label), "info"),
      span(show(record.branch ?? ""), "muted"),
      span(show(record.objective ?? record.task ?? "")),
      span(ageOf(record.published_at, drawing.now), "muted"),
    ];
    return arrangeRow(row, COLUMNS, cells, drawing);
  },
  foot: (state, width) => [...lineageLines(state, width), ...deviceLines(state)],
};
