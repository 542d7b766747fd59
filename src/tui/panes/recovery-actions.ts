import { GLYPH } from "../glyphs.ts";
import { balanceLines } from "../model/balance.ts";
import { arrange } from "../model/columns.ts";
import type { Column } from "../model/columns.ts";
import { show, span } from "../model/line.ts";
import type { Line } from "../model/line.ts";
import { counted, repositoryName, shortId } from "../model/names.ts";
import type { Row } from "../model/rows.ts";
import type { ConsoleState } from "../store.ts";
import type { Drawing, PaneSpec } from "./spec.ts";

const REPOSITORY: Column = { width: 12, middle: true };
const COLUMNS: readonly Column[] = [
  { width: 1 },
  { width: 8 },
  { width: 10, grow: true, middle: true },
  { width: 12, grow: true, from: 40 },
];

function row(row: Row, { look, width }: Drawing): Line {
  const cells =
    row.kind === "action"
      ? [
          span(GLYPH.gone, "bad"),
          span(row.action.kind),
          span(
            row.action.session_id === undefined ? show(row.action.subject) : shortId(row.action.session_id),
          ),
          span(show(row.action.reason)),
        ]
      : row.kind === "skipped"
        ? [
            span(GLYPH.dot, "muted"),
            span("skipped", "muted"),
            span(show(row.subject), "muted"),
            span(show(row.reason), "muted"),
          ]
        : [];
  if (!look.several) return arrange(COLUMNS, cells, width);
  return arrange([REPOSITORY, ...COLUMNS], [span(repositoryName(row.root), "muted"), ...cells], width);
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
    return [[span(`pointer ${pointer.layout}: ${show(pointer.note)}`, tone)]];
  });
}

/** Everything degraded, with what recovery would do about it. */
export const RECOVERY_ACTIONS: PaneSpec = {
  title: "Recovery",
  slice: "plan",
  counts,
  empty: () => "nothing to recover",
  row,
  foot: (state, width) => [...pointerLines(state), ...balanceLines(state, width)],
};
