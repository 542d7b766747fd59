import { GLYPH } from "../glyphs.ts";
import { balanceLines } from "../model/balance.ts";
import type { Column } from "../model/columns.ts";
import { show, span } from "../model/line.ts";
import type { Line } from "../model/line.ts";
import { counted } from "../model/names.ts";
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

function draw(row: Row, drawing: Drawing): Line {
  const cells =
    row.kind === "action"
      ? [
          span(GLYPH.gone, "bad"),
          span(row.action.kind),
          span(
            row.action.session_id === undefined
              ? show(row.action.subject)
              : idText(row.action.session_id, drawing),
          ),
          span(show(row.action.reason)),
        ]
      : row.kind === "skipped"
        ? [
            span(GLYPH.dot, "muted"),
            span("skipped", "muted"),
            span(idText(row.subject, drawing), "muted"),
            span(show(row.reason), "muted"),
          ]
        : [];
  return arrangeRow(row, COLUMNS, cells, drawing);
}

function counts(rows: readonly Row[]): string {
  const actions = rows.filter((candidate) => candidate.kind === "action").length;
  const skipped = rows.length - actions;
  return [counted(actions, "repair"), ...(skipped > 0 ? [`${skipped} skipped`] : [])].join(` ${GLYPH.dot} `);
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
  row: draw,
  foot: (state, width) => [...pointerLines(state), ...balanceLines(state, width)],
};
