import { GLYPH } from "../glyphs.ts";
import { clockText } from "../model/age.ts";
import { arrange } from "../model/columns.ts";
import type { Column } from "../model/columns.ts";
import { eventTone } from "../model/history.ts";
import { show, span } from "../model/line.ts";
import type { Line } from "../model/line.ts";
import { repositoryName, shortId } from "../model/names.ts";
import { grouped } from "../model/numbers.ts";
import type { Row } from "../model/rows.ts";
import type { ConsoleState } from "../store.ts";
import type { Drawing, PaneSpec } from "./spec.ts";

const REPOSITORY: Column = { width: 12, middle: true };
const COLUMNS: readonly Column[] = [
  { width: 8 },
  { width: 8, from: 70 },
  { width: 23, from: 44 },
  { width: 14, grow: true },
  { width: 8, from: 90 },
];
/** Without the session's own columns: its episode is the one that is looked at. */
const OWN_COLUMNS: readonly Column[] = [{ width: 8 }, { width: 23, from: 44 }, { width: 14, grow: true }];

function row(row: Row, { look, now, width }: Drawing): Line {
  if (row.kind !== "line") return [];
  const { line } = row;
  const event = span(show(line.event), eventTone(line));
  const narrow = width < 44;
  const summary = narrow ? `${show(line.event)} ${show(line.summary)}` : show(line.summary);
  const cells = [
    span(clockText(line.ts, now), "muted"),
    span(line.session === undefined ? "" : shortId(line.session)),
    event,
    span(summary, narrow ? eventTone(line) : "plain"),
    span(line.task === undefined ? "" : shortId(line.task), "muted"),
  ];
  if (!look.several) return arrange(COLUMNS, cells, width);
  return arrange([REPOSITORY, ...COLUMNS], [span(repositoryName(row.root), "muted"), ...cells], width);
}

function ownRow(row: Row, { now, width }: Drawing): Line {
  if (row.kind !== "line") return [];
  const { line } = row;
  const event = span(show(line.event), eventTone(line));
  return arrange(
    OWN_COLUMNS,
    [span(clockText(line.ts, now), "muted"), event, span(show(line.summary))],
    width,
  );
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
  return rows.length === total
    ? `${grouped(total)} lines`
    : `newest ${grouped(rows.length)} of ${grouped(total)}`;
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
  row,
};

/** The ledger as a view of its own. */
export const LEDGER: PaneSpec = {
  title: "History",
  slice: "history",
  counts: ledgerCounts,
  empty: (state) => ((state.filters.ledger ?? "") === "" ? "the ledger is empty" : "no line matches"),
  row,
};

/** What the selected episode wrote. */
export const OWN_LINES: PaneSpec = {
  title: "Its ledger lines",
  slice: "lines",
  counts: ownCounts,
  empty: () => "the ledger has no line of it",
  row: ownRow,
};
