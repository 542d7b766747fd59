import { GLYPH } from "../glyphs.ts";
import { show, span } from "../model/line.ts";
import type { Line } from "../model/line.ts";
import { grouped } from "../model/numbers.ts";
import type { Row } from "../model/rows.ts";
import type { ConsoleState } from "../store.ts";
import type { PaneSpec } from "./spec.ts";

function draw(row: Row): Line {
  if (row.kind !== "text") return [];
  const text = show(row.text.replaceAll("\t", "    "));
  if (row.text.startsWith("#")) return [span(text, "accent", true)];
  return [span(text)];
}

/** How long it is. */
function counts(rows: readonly Row[]): string {
  return `${grouped(rows.length)} lines`;
}

/** Whether a capsule stands behind the procedure, and what is odd about it. */
function procedureCounts(rows: readonly Row[], state: ConsoleState): string {
  const answers = state.roots.flatMap((root) => state.repositories[root]?.procedure.data ?? []);
  const parts = [
    `${grouped(rows.length)} lines`,
    ...(answers.some(({ degraded }) => degraded) ? ["degraded: no capsule"] : []),
    ...(answers.some(({ deferred }) => deferred !== undefined) ? ["deferred: somebody conducts"] : []),
  ];
  return parts.join(` ${GLYPH.dot} `);
}

/** What a clear would print now, line by line. */
export const PROCEDURE: PaneSpec = {
  title: "Procedure",
  slice: "procedure",
  counts: procedureCounts,
  empty: () => "nothing would be printed",
  row: draw,
  unnamed: true,
};

/** What a new worker would be told at its start, line by line. */
export const BRIEFING: PaneSpec = {
  title: "Briefing",
  slice: "told",
  counts,
  empty: () => "nothing to tell a worker",
  row: draw,
  unnamed: true,
};
