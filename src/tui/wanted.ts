import { PANES } from "./panes/specs.ts";
import { slicesOf } from "./panes/spec.ts";
import { viewOf } from "./places.ts";
import type { ViewId } from "./places.ts";
import { POSED } from "./posed.ts";
import type { SliceName } from "./questions.ts";
import type { ConsoleState } from "./store.ts";

/** What the edges of the screen show in every view, and what a view that is opened must not wait for. */
const ALWAYS: readonly SliceName[] = [
  "state",
  "episodes",
  "recovery",
  "history",
  ...POSED.map(({ slice }) => slice),
];

/** What a view's edges show beside its panes. */
const BESIDE: Readonly<Partial<Record<ViewId, readonly SliceName[]>>> = {
  overview: ["doctor", "check", "watch", "candidates"],
};

/** Slices that something on the screen shows. */
export function wantedSlices(state: ConsoleState): ReadonlySet<SliceName> {
  const wanted = new Set(ALWAYS);
  for (const pane of viewOf(state.view).panes) {
    for (const slice of slicesOf(PANES[pane])) wanted.add(slice);
  }
  for (const slice of BESIDE[state.view] ?? []) wanted.add(slice);
  if (state.showClosed) wanted.add("closed");
  return wanted;
}
