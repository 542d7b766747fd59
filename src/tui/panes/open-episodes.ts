import { GLYPH } from "../glyphs.ts";
import { ageOf } from "../model/age.ts";
import type { Column } from "../model/columns.ts";
import { lastSign, placeCell, signOf, standingSpan } from "../model/episode.ts";
import { show, span } from "../model/line.ts";
import type { Line } from "../model/line.ts";
import { compactCount } from "../model/numbers.ts";
import type { Row } from "../model/rows.ts";
import type { ConsoleState } from "../store.ts";
import { arrangeRow, idText } from "./arrange-row.ts";
import type { Drawing, PaneSpec } from "./spec.ts";

const COLUMNS: readonly Column[] = [
  { width: 1 },
  { width: 8 },
  { width: 8, from: 66 },
  { width: 11 },
  { width: 8, grow: true, middle: true },
  { width: 4, align: "right" },
  { width: 8, from: 52 },
  { width: 6, from: 56, align: "right" },
];

function draw(row: Row, drawing: Drawing): Line {
  const { look, now } = drawing;
  if (row.kind !== "episode") return [];
  const { episode } = row;
  const sign = signOf(episode);
  const task = episode.tasks?.at(-1);
  const cells = [
    span(sign.symbol, sign.tone),
    standingSpan(episode),
    span(idText(episode.session_id, drawing)),
    span(show(episode.provider ?? GLYPH.none)),
    placeCell(episode, look.home),
    span(ageOf(lastSign(episode), now)),
    span(task === undefined ? GLYPH.none : idText(task, drawing), "muted"),
    span(episode.checkpoints === 0 ? "" : `${compactCount(episode.checkpoints)} ckpt`, "muted"),
  ];
  return arrangeRow(row, COLUMNS, cells, drawing);
}

function counts(rows: readonly Row[]): string {
  const here = rows.filter((candidate) => candidate.kind === "episode" && candidate.episode.here).length;
  const elsewhere = rows.length - here;
  return elsewhere === 0 ? `${rows.length} open` : `${rows.length} open ${GLYPH.dot} ${elsewhere} elsewhere`;
}

/** Why there is no episode to show. */
export function noEpisodes(state: ConsoleState): string {
  const present = state.roots.some((root) => state.repositories[root]?.episodes.data?.present === true);
  return present ? "no worker has an episode open" : "no episode was ever opened here";
}

/** The open episodes that nobody needs to worry about. */
export const OPEN_EPISODES: PaneSpec = {
  title: "Episodes",
  slice: "episodes",
  counts,
  empty: noEpisodes,
  row: draw,
};
