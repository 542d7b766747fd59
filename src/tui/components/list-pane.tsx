import type { ReactElement } from "react";
import { memo, useContext, useState } from "react";
import { GLYPH } from "../glyphs.ts";
import { LookContext } from "./look-context.ts";
import { span } from "../model/line.ts";
import type { Line } from "../model/line.ts";
import { grouped } from "../model/numbers.ts";
import { positionOf } from "../model/rows.ts";
import type { Row as ListRow } from "../model/rows.ts";
import { ageMark, isKnown, waitingFor } from "../model/waiting.ts";
import { windowOf } from "../model/window.ts";
import { createLineDrawer, headLine } from "../panes/list-lines.ts";
import { slicesOf } from "../panes/spec.ts";
import { PANES } from "../panes/specs.ts";
import { FOLLOWING, viewOf } from "../places.ts";
import type { PaneId } from "../places.ts";
import { focusedPane } from "../store.ts";
import { useParts, useShared } from "./console-context.ts";
import type { Shared } from "./console-context.ts";
import { Framed } from "./framed.tsx";
import { Row } from "./row.tsx";

export interface PaneProps {
  pane: PaneId;
  width: number;
  height: number;
}

/** Everything of the state that a list is drawn from. */
function useListParts(pane: PaneId): void {
  useParts((state) => [
    state.repositories,
    state.now,
    state.cursors[pane],
    state.filters[pane],
    state.marks,
    focusedPane(state) === pane,
    state.showClosed,
  ]);
}

const BLANK: Line = [];

/** A lower pane needs its rows for the list. */
const HEADED_FROM = 8;

/** Plain text is read from its beginning to its end: a tail of the ledger is enough. */
const PLAIN_TAIL = 50;

function countsText({ store, rowsOf }: Shared, pane: PaneId, rows: readonly ListRow[]): string {
  const state = store.getState();
  const spec = PANES[pane];
  const filter = state.filters[pane] ?? "";
  const old = ageMark(state, slicesOf(spec));
  const all = filter === "" ? rows.length : rowsOf.totalOf(state, pane);
  const cut =
    filter === ""
      ? ""
      : `/${filter}${all === undefined ? "" : `: ${grouped(rows.length)} of ${grouped(all)}`}`;
  const parts = [cut, isKnown(state, spec.slice) ? spec.counts(rows, state) : "", old];
  return parts.filter((part) => part !== "").join(` ${GLYPH.dot} `);
}

function shortcomings(above: number, below: number): string {
  const parts = [above > 0 ? `${grouped(above)} above` : "", below > 0 ? `${grouped(below)} below` : ""];
  return parts.filter((part) => part !== "").join(` ${GLYPH.dot} `);
}

/** How many lines may stay below a list: the list comes first, up to half of a low pane. */
function footRoom(rows: number, room: number): number {
  return Math.max(0, room - Math.max(1, Math.min(rows, Math.floor(room / 2))));
}

/** What stays below a list; a foot that is cut says so. */
function footOf(foot: readonly Line[], most: number): readonly Line[] {
  const last = foot[most - 1];
  if (foot.length <= most || last === undefined) return foot.slice(0, most);
  return [...foot.slice(0, most - 1), [...last, span(" …", "muted")]];
}

/** A list in its box: only the rows that are on the screen are drawn. */
export const ListPane = memo(function ListPane({ pane, width, height }: PaneProps): ReactElement {
  const shared = useShared();
  const { store, rowsOf } = shared;
  const look = useContext(LookContext);
  useListParts(pane);
  const state = store.getState();
  const spec = PANES[pane];
  const rows = rowsOf(state, pane);
  const focused = focusedPane(state) === pane && viewOf(state.view).panes.includes(pane) && !look.plain;
  const inner = width - 2;
  const waiting = waitingFor(state, slicesOf(spec));
  const drawing = { look, now: state.now, width: inner, repositories: state.repositories };
  const headed = rows.length > 0 && height >= HEADED_FROM && !look.plain;
  const head = headed ? headLine(spec, drawing) : undefined;
  const room = height - 2 - waiting.length - Number(head !== undefined);
  const footMost = look.plain ? Number.POSITIVE_INFINITY : footRoom(rows.length, room);
  const foot = footOf(spec.foot?.(state, inner - 1, footMost) ?? [], footMost);
  const following = FOLLOWING.has(pane);
  const most = look.plain ? (following ? PLAIN_TAIL : rows.length) : Math.max(1, room - foot.length);
  const position = positionOf(rows, state.cursors[pane], following);
  const { top, end } = windowOf(rows.length, most, position);
  const [drawRow] = useState(createLineDrawer);
  const drawn = rows.slice(top, end).map((row, index) => {
    const selection = { selected: focused && top + index === position, marked: state.marks.has(row.id) };
    return drawRow(row, spec, selection, drawing);
  });
  const nothing = rows.length === 0 && waiting.length === 0 ? [[span(` ${spec.empty(state)}`, "muted")]] : [];
  const blanks = look.plain ? 0 : Math.max(0, most - drawn.length - nothing.length);
  const lines: Line[] = [
    ...waiting.map((line) => [span(" "), ...line]),
    ...(head === undefined ? [] : [head]),
    ...drawn,
    ...nothing,
    ...Array.from({ length: blanks }, () => BLANK),
    ...foot.map((line) => [span(" "), ...line]),
  ];
  return (
    <Framed
      title={spec.title}
      counts={countsText(shared, pane, rows)}
      focused={focused}
      lines={lines}
      width={width}
      height={height}
      note={shortcomings(top, rows.length - end)}
    />
  );
});

/** A pane that has no room: its name and its counts. */
export const FoldedPane = memo(function FoldedPane({ pane, width }: Omit<PaneProps, "height">): ReactElement {
  const shared = useShared();
  const { store, rowsOf } = shared;
  useListParts(pane);
  const state = store.getState();
  const spec = PANES[pane];
  const rows = rowsOf(state, pane);
  const [waiting] = waitingFor(state, slicesOf(spec));
  const counts = waiting ?? [span(countsText(shared, pane, rows))];
  return <Row line={[span(` ${spec.title.padEnd(9)}  `, "muted"), ...counts]} width={width} />;
});
