import { GLYPH } from "../glyphs.ts";
import { balanceLines } from "../model/balance.ts";
import type { Cell, Column } from "../model/columns.ts";
import { LEVEL_TONE } from "../model/labels.ts";
import { show, span } from "../model/line.ts";
import type { Line } from "../model/line.ts";
import { counted, pathFrom } from "../model/names.ts";
import type { Row } from "../model/rows.ts";
import type { ConsoleState } from "../store.ts";
import { arrangeRow, idText } from "./arrange-row.ts";
import type { Drawing, PaneSpec } from "./spec.ts";

const COLUMNS: readonly Column[] = [
  { width: 1 },
  { width: 8 },
  { width: 10, grow: true, middle: true },
  { width: 12, grow: true, from: 40 },
];

function cellsOf(row: Row, drawing: Drawing): Cell[] {
  if (row.kind === "action") {
    const { kind, session_id, subject, reason } = row.action;
    const what =
      session_id === undefined ? pathFrom(row.root, subject, drawing.look.home) : idText(session_id, drawing);
    return [span(GLYPH.gone, "bad"), span(kind), span(what), span(show(reason))];
  }
  if (row.kind === "skipped") {
    const what = idText(row.subject, drawing);
    return [span(GLYPH.dot), span("skipped"), span(what), span(show(row.reason))].map((cell) => ({
      ...cell,
      tone: "muted",
    }));
  }
  if (row.kind !== "finding") return [];
  const { level, subject, message } = row.finding;
  const tone = LEVEL_TONE[level];
  return [
    span("!", tone),
    span(level, tone),
    span(pathFrom(row.root, subject, drawing.look.home)),
    span(show(message)),
  ];
}

function counts(rows: readonly Row[]): string {
  const many = (kind: Row["kind"]): number => rows.filter((row) => row.kind === kind).length;
  const skipped = many("skipped");
  const findings = many("finding");
  return [
    counted(many("action"), "repair"),
    skipped > 0 ? `${skipped} skipped` : "",
    findings > 0 ? counted(findings, "finding") : "",
  ]
    .filter((part) => part !== "")
    .join(` ${GLYPH.dot} `);
}

/** Where the pointer of a repository stands, when that is worth a line. */
function pointerLines(state: ConsoleState): Line[] {
  return state.roots.flatMap((root) => {
    const pointer = state.repositories[root]?.recovery.data?.pointer;
    if (pointer === undefined) return [];
    const tone = pointer.resolves || pointer.layout === "absent" ? "muted" : "warn";
    return [
      [
        span(
          `pointer${pointer.layout === "pointer" ? "" : ` ${pointer.layout}`}: ${show(pointer.note)}`,
          tone,
        ),
      ],
    ];
  });
}

/** Everything degraded, with what recovery would do about it. */
export const RECOVERY_ACTIONS: PaneSpec = {
  title: "Recovery",
  slice: "plan",
  counts,
  empty: () => "nothing to recover",
  row: (row, drawing) => arrangeRow(row, COLUMNS, cellsOf(row, drawing), drawing),
  foot: (state, width) => [...pointerLines(state), ...balanceLines(state, width)],
};
