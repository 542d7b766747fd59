import { GLYPH } from "../glyphs.ts";
import { daysSince } from "../model/age.ts";
import type { Cell, Column } from "../model/columns.ts";
import { evidenceSpan } from "../model/labels.ts";
import { show, span } from "../model/line.ts";
import { grouped } from "../model/numbers.ts";
import type { Row } from "../model/rows.ts";
import type { ConsoleState } from "../store.ts";
import { arrangeRow, idText } from "./arrange-row.ts";
import type { Drawing, PaneSpec } from "./spec.ts";

const COLUMNS: readonly Column[] = [
  { width: 10, from: 44 },
  { width: 14, grow: true },
  { width: 10 },
  { width: 8, from: 60 },
  { width: 12, from: 96, middle: true },
  { width: 5, align: "right", from: 36 },
];

function cellsOf(row: Row, drawing: Drawing): Cell[] {
  if (row.kind !== "candidate") return [];
  const { class: kind, title, question, evidence, episode, branch, date, faults, status } = row.candidate;
  const waits = status === "candidate";
  return [
    span(show(kind), waits ? "info" : "muted"),
    span(
      show(question === undefined ? title : `${title} (answers: ${question})`),
      faults.length > 0 ? "bad" : waits ? "plain" : "muted",
    ),
    evidenceSpan(evidence),
    span(episode === null ? GLYPH.none : idText(episode, drawing), "muted"),
    span(show(branch ?? GLYPH.none), "muted"),
    span(daysSince(date, drawing.now), "muted"),
  ];
}

function counts(rows: readonly Row[], state: ConsoleState): string {
  const candidates = rows.flatMap((row) => (row.kind === "candidate" ? [row.candidate] : []));
  const waiting = candidates.filter(({ status }) => status === "candidate").length;
  const dangling = candidates.filter(({ evidence }) => evidence === "dangling").length;
  const skipped = state.roots.reduce(
    (sum, root) => sum + (state.repositories[root]?.candidates.data?.skipped.length ?? 0),
    0,
  );
  return [
    `${grouped(waiting)} await review`,
    dangling > 0 ? `${grouped(dangling)} dangling` : "",
    skipped > 0 ? `${grouped(skipped)} not readable` : "",
  ]
    .filter((part) => part !== "")
    .join(` ${GLYPH.dot} `);
}

const SHOWN_SKIPPED = 3;

/** Lines for files in a record's place that are none. */
function skippedLines(state: ConsoleState): ReturnType<NonNullable<PaneSpec["foot"]>> {
  return state.roots.flatMap((root) =>
    (state.repositories[root]?.candidates.data?.skipped ?? [])
      .slice(0, SHOWN_SKIPPED)
      .map(({ path, reason }) => [span(`not readable: ${show(path)}: ${show(reason)}`, "warn")]),
  );
}

/** What was derived and waits for a person. */
export const CANDIDATES: PaneSpec = {
  title: "Review",
  slice: "candidates",
  counts,
  empty: () => "nothing waits for review",
  row: (row, drawing) => arrangeRow(row, COLUMNS, cellsOf(row, drawing), drawing),
  foot: skippedLines,
};
