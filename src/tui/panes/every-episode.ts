import type { ClosedView } from "../../core/lifecycle/answers.ts";
import { GLYPH } from "../glyphs.ts";
import { ageOf } from "../model/age.ts";
import type { Cell, Column } from "../model/columns.ts";
import { lastSign, lossText, placeCell, signOf, standingSpan } from "../model/episode.ts";
import { divergenceSpan } from "../model/labels.ts";
import { show, span } from "../model/line.ts";
import type { Line } from "../model/line.ts";
import { compactCount, grouped } from "../model/numbers.ts";
import { timelineOf } from "../model/timeline.ts";
import { isLost } from "../model/rows.ts";
import type { Row, RowOf } from "../model/rows.ts";
import type { ConsoleState } from "../store.ts";
import { arrangeHead, arrangeRow, idText } from "./arrange-row.ts";
import { noEpisodes } from "./open-episodes.ts";
import type { Drawing, PaneSpec } from "./spec.ts";

const COLUMNS: readonly Column[] = [
  { width: 1 },
  { width: 13 },
  { width: 8, from: 46 },
  { width: 11 },
  { width: 8, from: 86 },
  { width: 8, grow: true, middle: true },
  { width: 4, align: "right", from: 62 },
  { width: 4, align: "right" },
  { width: 8, from: 70 },
  { width: 4, align: "right", from: 76 },
  { width: 24, from: 104 },
];

function openCells({ root, episode }: RowOf<"episode">, drawing: Drawing): Cell[] {
  const { look, now, repositories } = drawing;
  const signs = [episode.last_activity, episode.heartbeat];
  const sign = signOf(episode);
  const task = episode.tasks?.at(-1);
  return [
    span(sign.symbol, sign.tone),
    isLost(episode) ? span(lossText(episode)) : standingSpan(episode),
    span(idText(episode.session_id, drawing)),
    span(show(episode.provider ?? GLYPH.none)),
    span(show(episode.owner ?? ""), "muted"),
    placeCell(episode, look.home),
    span(ageOf(episode.started_at, now), "muted"),
    span(ageOf(lastSign(episode), now)),
    span(task === undefined ? GLYPH.none : idText(task, drawing), "muted"),
    span(compactCount(episode.checkpoints), "muted"),
    span(timelineOf(repositories[root]?.history.data, episode.session_id, signs, now), "accent"),
  ];
}

function closedCells(closed: ClosedView, drawing: Drawing): Cell[] {
  return [
    span(GLYPH.dot, "muted"),
    span(show(closed.outcome ?? "closed"), "muted"),
    span(idText(closed.session_id, drawing), "muted"),
    divergenceSpan(closed.divergence),
    span("", "muted"),
    { ...span(show(closed.title ?? closed.branch ?? ""), "muted"), middle: false },
    span("", "muted"),
    span(ageOf(closed.created_at, drawing.now), "muted"),
    span("", "muted"),
    span("", "muted"),
  ];
}

function draw(row: Row, drawing: Drawing): Line {
  const cells =
    row.kind === "episode"
      ? openCells(row, drawing)
      : row.kind === "closed"
        ? closedCells(row.closed, drawing)
        : [];
  return arrangeRow(row, COLUMNS, cells, drawing);
}

const NAMES = [
  "",
  "stands",
  "episode",
  "provider",
  "owner",
  "branch",
  "open",
  "seen",
  "task",
  "ckpt",
  "24 hours",
];

function counts(rows: readonly Row[], state: ConsoleState): string {
  const open = rows.filter((candidate) => candidate.kind === "episode");
  const lost = open.filter((candidate) => isLost(candidate.episode)).length;
  const parts = [`${open.length} open`, ...(lost > 0 ? [`${lost} of them stranded`] : [])];
  const total = state.roots.reduce((sum, root) => sum + closedTotal(state, root), 0);
  const shown = rows.length - open.length;
  parts.push(state.showClosed ? `newest ${shown} of ${grouped(total)} closed` : `${grouped(total)} closed`);
  return parts.join(` ${GLYPH.dot} `);
}

function closedTotal(state: ConsoleState, root: string): number {
  const slices = state.repositories[root];
  return slices?.closed.data?.total ?? slices?.state.data?.tallies.closed ?? 0;
}

/** Every open episode of every worktree; closed ones on demand. */
export const EVERY_EPISODE: PaneSpec = {
  title: "Episodes",
  slice: "episodes",
  counts,
  empty: noEpisodes,
  row: draw,
  head: (drawing) => arrangeHead(COLUMNS, NAMES, drawing),
};
