import { GLYPH } from "../glyphs.ts";
import { ageOf } from "../model/age.ts";
import { balanceLines } from "../model/balance.ts";
import type { Column } from "../model/columns.ts";
import { lastSign, lossText, remainsText } from "../model/episode.ts";
import { show, span } from "../model/line.ts";
import type { Line } from "../model/line.ts";
import type { Row } from "../model/rows.ts";
import { arrangeRow, idText } from "./arrange-row.ts";
import type { Drawing, PaneSpec } from "./spec.ts";

const COLUMNS: readonly Column[] = [
  { width: 1 },
  { width: 13 },
  { width: 8, from: 44 },
  { width: 6, grow: true, middle: true },
  { width: 4, align: "right" },
  { width: 16, from: 56 },
];

function draw(row: Row, drawing: Drawing): Line {
  const { now } = drawing;
  if (row.kind !== "episode") return [];
  const { episode } = row;
  const cells = [
    span(GLYPH.gone, "bad"),
    span(lossText(episode)),
    span(idText(episode.session_id, drawing)),
    span(show(episode.branch ?? GLYPH.none)),
    span(ageOf(lastSign(episode), now)),
    span(remainsText(episode), "muted"),
  ];
  return arrangeRow(row, COLUMNS, cells, drawing);
}

/** Episodes that recovery would take: their worktree or their worker is gone. */
export const STRANDED: PaneSpec = {
  title: "Stranded",
  slice: "episodes",
  counts: (rows) => String(rows.length),
  empty: () => "nothing is stranded",
  row: draw,
  foot: balanceLines,
};
