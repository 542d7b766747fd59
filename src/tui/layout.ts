import type { PaneId, ViewId } from "./places.ts";
import { viewOf } from "./places.ts";
import { SMALLEST } from "./model/size.ts";
import type { Size } from "./model/size.ts";

/** What a box of the screen shows: a list, or what is known about the row under the cursor. */
export type Content = PaneId | "detail";

export interface Box {
  content: Content;
  height: number;
  /** Drawn as one line with its counts. */
  folded: boolean;
}

export interface LayoutColumn {
  width: number;
  boxes: readonly Box[];
}

export interface Layout {
  /** Rows of the whole frame: one less than the terminal has. */
  height: number;
  columns: readonly LayoutColumn[];
  /** A line that names the panes of which only one is shown. */
  tabs: boolean;
  /** A line of its own for task, blockers and messages. */
  status: boolean;
}

/** How many rows the lists would fill, where the layout gives them what they need. */
export interface Wanted {
  open: number;
  stranded: number;
}

const WIDE = 120;
const MIDDLE = 80;
const NARROW = 50;
const BORDERS = 2;

function open(content: Content, height: number): Box {
  return { content, height, folded: false };
}

function folded(content: PaneId): Box {
  return { content, height: 1, folded: true };
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}

/** A list and its detail, one below the other, both of use. */
const LIST_AND_DETAIL_FROM = 20;

/**
 * One column: the focused pane open, the others one line each, in their usual order. Where it is high, what is
 * known about the row under the cursor stands below its list.
 */
function foldedColumn(view: ViewId, focus: PaneId, width: number, height: number): LayoutColumn {
  const { panes } = viewOf(view);
  const room = height - panes.length + 1;
  const detail = room < LIST_AND_DETAIL_FROM || WHOLE_TEXTS.has(focus) ? 0 : Math.floor(room / 2);
  const boxes = panes.flatMap((pane) => {
    if (pane !== focus) return [folded(pane)];
    return [open(pane, room - detail), ...(detail === 0 ? [] : [open("detail", detail)])];
  });
  return { width, boxes };
}

/** Panes whose rows are lines of one text: there is no more to know about any of them. */
const WHOLE_TEXTS: ReadonlySet<PaneId> = new Set(["briefing", "procedure"]);

/** The top panes get what they need, the ledger's tail the rest, and both at least a third. */
function topHeight(wanted: Wanted, body: number): number {
  // The balance stands below the stranded ones.
  const needed = Math.max(wanted.open, wanted.stranded + 1, 3) + BORDERS;
  return clamp(needed, Math.floor(body / 3), Math.ceil((body * 3) / 5));
}

type Arrange = (
  size: Size,
  body: number,
  wanted: Wanted,
  focus: PaneId,
) => readonly LayoutColumn[] | undefined;

/** How each view uses a terminal of at least 80 columns; undefined where it is too low for that. */
const ARRANGEMENTS: Readonly<Record<ViewId, Arrange>> = {
  overview: ({ columns }, body, wanted, focus) => {
    if (body < 12) return undefined;
    return overview(columns, body, wanted, focus);
  },
  episodes: ({ columns }, body) => {
    if (columns >= WIDE && body >= 14) {
      const left = Math.ceil(columns * 0.55);
      const detail = clamp(Math.ceil(body * 0.55), 8, 20);
      return [
        { width: left, boxes: [open("every", body)] },
        { width: columns - left, boxes: [open("detail", detail), open("lines", body - detail)] },
      ];
    }
    if (body < 16) return undefined;
    const list = clamp(Math.ceil(body * 0.32), 6, 16);
    const detail = body >= 24 ? clamp(Math.ceil(body * 0.38), 8, 18) : 0;
    const boxes = [open("every", list), ...(detail > 0 ? [open("detail", detail)] : [])];
    return [{ width: columns, boxes: [...boxes, open("lines", body - list - detail)] }];
  },
  recovery: ({ columns }, body) => besideOrBelow("actions", columns, body, 0.5),
  capsules: ({ columns }, body, _, focus) => {
    if (columns >= WIDE && body >= 14) {
      const left = Math.ceil(columns * 0.5);
      const list = clamp(Math.ceil(body * 0.5), 6, 24);
      return [
        { width: left, boxes: [open("capsules", list), open("detail", body - list)] },
        { width: columns - left, boxes: [open("procedure", body)] },
      ];
    }
    return detailAndFolded("capsules", "procedure", columns, body, focus);
  },
  sync: ({ columns }, body) => besideOrBelow("travelling", columns, body, 0.5),
  knowledge: ({ columns }, body) => besideOrBelow("candidates", columns, body, 0.55),
  history: ({ columns }, body) => {
    if (columns < WIDE) return [{ width: columns, boxes: [open("ledger", body)] }];
    return besideOrBelow("ledger", columns, body, 0.64);
  },
  work: ({ columns }, body, _, focus) => {
    if (columns >= WIDE && body >= 14) {
      const left = Math.ceil(columns / 2);
      const list = clamp(Math.ceil(body * 0.45), 6, 22);
      return [
        { width: left, boxes: [open("work", list), open("detail", body - list)] },
        { width: columns - left, boxes: [open("briefing", body)] },
      ];
    }
    return detailAndFolded("work", "briefing", columns, body, focus);
  },
  health: ({ columns }, body, _, focus) => {
    if (columns >= WIDE && body >= 14) {
      const left = Math.ceil(columns * 0.6);
      const low = clamp(Math.floor(body * 0.45), 5, 16);
      return [
        { width: left, boxes: [open("findings", body)] },
        { width: columns - left, boxes: [open("detail", body - low), open("surroundings", low)] },
      ];
    }
    return detailAndFolded("findings", "surroundings", columns, body, focus);
  },
};

/** A list with its detail, and another list in one line; that one alone when it has the keys. */
function detailAndFolded(
  list: PaneId,
  other: PaneId,
  columns: number,
  body: number,
  focus: PaneId,
): readonly LayoutColumn[] | undefined {
  if (body < 16 || focus === other) return undefined;
  const height = clamp(Math.ceil(body * 0.5), 6, 18);
  const boxes = [open(list, height), open("detail", body - height - 1), folded(other)];
  return [{ width: columns, boxes }];
}

const MEMORY_ROWS = 7;
const THREE_TIERS_FROM = 26;

/**
 * Three tiers: who works, what memory would bring back, what happened. A low screen has two, and shows of
 * the lower ones the one that has the keys.
 */
function overview(columns: number, body: number, wanted: Wanted, focus: PaneId): readonly LayoutColumn[] {
  const left = Math.ceil(columns / 2);
  const right = columns - left;
  const all = body >= THREE_TIERS_FROM;
  const memory = all ? MEMORY_ROWS : focus === "tail" ? 0 : body - topHeight(wanted, body);
  const top = topHeight(wanted, body - (all ? memory : 0));
  const rest = body - top - memory;
  const ifAny = (content: Content, height: number): Box[] => (height === 0 ? [] : [open(content, height)]);
  if (columns >= WIDE) {
    return [
      { width: left, boxes: [open("open", top), ...ifAny("capsule", memory), ...ifAny("tail", rest)] },
      { width: right, boxes: [open("stranded", top), ...ifAny("sync", memory), ...ifAny("detail", rest)] },
    ];
  }
  // The tail under both: its lines need the width more than two by two needs a fourth pane.
  return [
    { width: left, boxes: [open("open", top), ...ifAny("capsule", memory)] },
    { width: right, boxes: [open("stranded", top), ...ifAny("sync", memory)] },
    ...(rest === 0 ? [] : [{ width: columns, boxes: [open("tail", rest)] }]),
  ];
}

function besideOrBelow(
  list: PaneId,
  columns: number,
  body: number,
  share: number,
): readonly LayoutColumn[] | undefined {
  if (columns >= WIDE) {
    const left = Math.ceil(columns * share);
    return [
      { width: left, boxes: [open(list, body)] },
      { width: columns - left, boxes: [open("detail", body)] },
    ];
  }
  if (body < 14) return [{ width: columns, boxes: [open(list, body)] }];
  const top = Math.ceil(body / 2);
  return [{ width: columns, boxes: [open(list, top), open("detail", body - top)] }];
}

/**
 * Divides a terminal among the panes of a view; undefined when it is smaller than the console can use.
 * A column as wide as the whole screen that follows others stands below them.
 */
export function layoutOf(size: Size, view: ViewId, focus: PaneId, wanted: Wanted): Layout | undefined {
  const { columns, rows } = size;
  if (columns < SMALLEST.columns || rows < SMALLEST.rows) return undefined;
  const height = rows - 1;
  const status = rows >= 14;
  const tabs = columns < NARROW && viewOf(view).panes.length > 1;
  const body = height - 2 - Number(status) - Number(tabs);
  const rest = { height, tabs, status };
  if (tabs) return { ...rest, columns: [{ width: columns, boxes: [open(focus, body)] }] };
  const arranged = columns >= MIDDLE ? ARRANGEMENTS[view](size, body, wanted, focus) : undefined;
  return { ...rest, columns: arranged ?? [foldedColumn(view, focus, columns, body)] };
}

/** The height that a pane's list has on the screen, for paging; 0 when it is not open. */
export function listHeight(layout: Layout | undefined, pane: PaneId): number {
  const boxes = layout?.columns.flatMap((column) => column.boxes) ?? [];
  const box = boxes.find((candidate) => candidate.content === pane && !candidate.folded);
  return box === undefined ? 0 : Math.max(1, box.height - BORDERS);
}
