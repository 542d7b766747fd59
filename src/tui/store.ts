import { createStore } from "zustand/vanilla";
import type { StoreApi } from "zustand/vanilla";
import type { Drafts } from "./form.ts";
import type { Message } from "./message.ts";
import type { Busy, Done, Mode } from "./mode.ts";
import { FIRST_PANES } from "./places.ts";
import type { PaneId, ViewId } from "./places.ts";
import type { Place } from "./model/place.ts";
import type { Size } from "./model/size.ts";
import { idleSlices } from "./slices.ts";
import type { Slices } from "./slices.ts";

/** Where a list's cursor stands: on a record, whatever row that has; the place only says where it was. */
export interface Cursor {
  id?: string;
  place: number;
}

export type Feed = "live" | "polling";

/** Everything that the console shows. Panes are functions of it. */
export interface ConsoleState {
  roots: readonly string[];
  /** Where the checkouts stood by git's files when the console was opened: until it is asked. */
  places: readonly Place[];
  repositories: Readonly<Record<string, Slices>>;
  size: Size;
  /** The time that ages are counted from, milliseconds; moves only when an age's text would change. */
  now: number;
  /** When the feed last found the disk as the slices show it, milliseconds. */
  verified: number;
  feed: Feed;
  view: ViewId;
  focus: Readonly<Record<ViewId, PaneId>>;
  cursors: Readonly<Partial<Record<PaneId, Cursor>>>;
  filters: Readonly<Partial<Record<PaneId, string>>>;
  marks: ReadonlySet<string>;
  showClosed: boolean;
  mode: Mode;
  message?: Message | undefined;
  busy?: Busy | undefined;
  last?: Done | undefined;
  /** What is written in forms and not stored yet. */
  drafts: Drafts;
}

export type Store = StoreApi<ConsoleState>;

/** The state before the first answer. */
export function createConsoleStore(
  roots: readonly string[],
  size: Size,
  now: number,
  places: readonly Place[] = [],
): Store {
  return createStore<ConsoleState>(() => ({
    roots,
    places,
    repositories: Object.fromEntries(roots.map((root) => [root, idleSlices()])),
    size,
    now,
    verified: now,
    feed: "live",
    view: "overview",
    focus: FIRST_PANES,
    cursors: {},
    filters: {},
    marks: new Set(),
    showClosed: false,
    mode: { kind: "browse" },
    drafts: {},
  }));
}

export function focusedPane(state: ConsoleState): PaneId {
  return state.focus[state.view];
}
