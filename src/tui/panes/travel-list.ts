import { GLYPH } from "../glyphs.ts";
import { ageOf } from "../model/age.ts";
import type { Cell, Column } from "../model/columns.ts";
import { TRAVEL, TRUST_TONE } from "../model/labels.ts";
import { show, span } from "../model/line.ts";
import { syncCounts, syncLines } from "../model/sync-lines.ts";
import type { Row } from "../model/rows.ts";
import type { ConsoleState } from "../store.ts";
import { arrangeRow } from "./arrange-row.ts";
import type { Drawing, PaneSpec } from "./spec.ts";

const COLUMNS: readonly Column[] = [
  { width: 6 },
  { width: 8 },
  { width: 12, middle: true },
  { width: 11, from: 74 },
  { width: 10, from: 62, middle: true },
  { width: 14, grow: true },
  { width: 4, align: "right", from: 40 },
];

function cellsOf(row: Row, { now, look }: Drawing): Cell[] {
  if (row.kind !== "travel") return [];
  const { record, standing, graph } = row;
  const { tone } = TRAVEL[standing];
  const quiet = standing === "past" || standing === "hidden";
  return [
    // Read aloud, a drawing is noise.
    span(look.plain ? "" : graph, quiet ? "muted" : tone),
    span(standing === "past" ? "" : standing, tone),
    span(show(record.device.label), record.this_device ? "plain" : "info"),
    span(record.trust.replaceAll("_", " "), TRUST_TONE[record.trust]),
    span(show(record.branch ?? GLYPH.none), "muted"),
    span(show(record.objective ?? record.task ?? ""), quiet ? "muted" : "plain"),
    span(ageOf(record.published_at, now), "muted"),
  ];
}

function empty(state: ConsoleState): string {
  const asked = state.roots.some((root) => state.repositories[root]?.travelling.data !== undefined);
  return asked ? "nothing was published, here or by another machine" : "";
}

/** Every record that travels: lines with an offer first, then those that were gone on with in several ways. */
export const TRAVELLING: PaneSpec = {
  title: "Sync",
  slice: "travelling",
  also: ["sync"],
  counts: (_, state) => syncCounts(state),
  empty,
  row: (row, drawing) => arrangeRow(row, COLUMNS, cellsOf(row, drawing), drawing),
  foot: syncLines,
};
