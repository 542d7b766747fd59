import { GLYPH } from "../glyphs.ts";
import type { HistoryLine } from "../../core/ledger/answers.ts";
import { clockText } from "../model/age.ts";
import type { Column } from "../model/columns.ts";
import { eventTone } from "../model/history.ts";
import { show, span } from "../model/line.ts";
import type { Line, Span } from "../model/line.ts";
import { grouped } from "../model/numbers.ts";
import type { Row } from "../model/rows.ts";
import type { ConsoleState } from "../store.ts";
import { arrangeRow, idText } from "./arrange-row.ts";
import type { Drawing, PaneSpec } from "./spec.ts";

/** Narrower lists have no column for the event. */
const EVENT_FROM = 44;
const COLUMNS: readonly Column[] = [
  { width: 8 },
  { width: 8, from: 70 },
  { width: 23, from: EVENT_FROM },
  { width: 14, grow: true },
  { width: 8, from: 90 },
];
/** Without the session's own columns: its episode is the one that is looked at. */
const OWN_COLUMNS: readonly Column[] = [
  { width: 8 },
  { width: 23, from: EVENT_FROM },
  { width: 14, grow: true },
];

function timeText(line: HistoryLine, { look, now }: Drawing): Span {
  return span(look.plain ? show(line.ts) : clockText(line.ts, now), "muted");
}

function draw(row: Row, drawing: Drawing): Line {
  if (row.kind !== "line") return [];
  const { line } = row;
  const tone = eventTone(line);
  // Where the event has no column of its own, it leads the summary.
  const narrow = drawing.width < EVENT_FROM && !drawing.look.plain;
  const cells = [
    timeText(line, drawing),
    span(line.session === undefined ? "" : idText(line.session, drawing)),
    span(show(line.event), tone),
    span(narrow ? `${show(line.event)} ${show(line.summary)}` : show(line.summary), narrow ? tone : "plain"),
    span(line.task === undefined ? "" : idText(line.task, drawing), "muted"),
  ];
  return arrangeRow(row, COLUMNS, cells, drawing);
}

function drawOwn(row: Row, drawing: Drawing): Line {
  if (row.kind !== "line") return [];
  const { line } = row;
  const cells = [timeText(line, drawing), span(show(line.event), eventTone(line)), span(show(line.summary))];
  // The repository is that of the episode beside it.
  return arrangeRow(row, OWN_COLUMNS, cells, { ...drawing, look: { ...drawing.look, several: false } });
}

function sumOf(
  state: ConsoleState,
  slice: "history" | "found" | "lines",
  key: "total" | "matched" | "cut",
): number {
  return state.roots.reduce((sum, root) => sum + (state.repositories[root]?.[slice].data?.[key] ?? 0), 0);
}

/** What a reader must know about lines that are not ordinary ones. */
function oddities(state: ConsoleState): string {
  const parts = state.roots.flatMap((root) => {
    const answer = state.repositories[root]?.history.data;
    if (answer === undefined) return [];
    return [
      answer.malformed > 0 ? `${grouped(answer.malformed)} malformed` : "",
      answer.torn_bytes > 0 ? `${grouped(answer.torn_bytes)} torn bytes` : "",
    ].filter((part) => part !== "");
  });
  return parts.length === 0 ? "" : ` ${GLYPH.dot} ${parts.join(" ")}`;
}

function newestOf(rows: readonly Row[], total: number): string {
  const shown = grouped(rows.length);
  const count = rows.length === total ? `${shown} lines` : `newest ${shown} of ${grouped(total)}`;
  return `${count} ${GLYPH.dot} UTC`;
}

function tailCounts(rows: readonly Row[], state: ConsoleState): string {
  const filter = state.filters.tail ?? "";
  const total = sumOf(state, "history", "total");
  const shown = filter === "" ? newestOf(rows, total) : `${grouped(rows.length)} match among the newest`;
  return shown + oddities(state);
}

function ledgerCounts(rows: readonly Row[], state: ConsoleState): string {
  const filter = state.filters.ledger ?? "";
  const total = sumOf(state, "history", "total");
  const shown = grouped(rows.length);
  if (filter === "") return newestOf(rows, total) + oddities(state);
  const searched = state.roots.every((root) => state.repositories[root]?.found.data !== undefined);
  const matched = searched ? `${grouped(sumOf(state, "found", "matched"))} match` : "searching";
  return `${shown} shown ${GLYPH.dot} ${matched} of ${grouped(total)}${oddities(state)}`;
}

function ownCounts(rows: readonly Row[], state: ConsoleState): string {
  const cut = sumOf(state, "lines", "cut");
  return newestOf(rows, rows.length + cut);
}

/** The ledger's tail, beside other panes. */
export const TAIL: PaneSpec = {
  title: "History",
  slice: "history",
  counts: tailCounts,
  empty: () => "the ledger is empty",
  row: draw,
};

/** The ledger as a view of its own. */
export const LEDGER: PaneSpec = {
  title: "History",
  slice: "history",
  counts: ledgerCounts,
  empty: (state) => ((state.filters.ledger ?? "") === "" ? "the ledger is empty" : "no line matches"),
  row: draw,
};

/** What the selected episode wrote. */
export const OWN_LINES: PaneSpec = {
  title: "Its ledger lines",
  slice: "lines",
  counts: ownCounts,
  empty: () => "the ledger has no line of it",
  unnamed: true,
  row: drawOwn,
};
