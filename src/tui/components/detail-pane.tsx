import type { ReactElement } from "react";
import { memo, useContext } from "react";
import { LookContext } from "./look-context.ts";
import { detailLines } from "../model/detail.ts";
import { span } from "../model/line.ts";
import { counted } from "../model/names.ts";
import { currentRow, selectedRow } from "../row-source.ts";
import type { ConsoleState } from "../store.ts";
import { useParts, useShared } from "./console-context.ts";
import { Framed } from "./framed.tsx";

/** Which row the detail belongs to: in the episodes' view always the episode, elsewhere the focused pane's. */
export function detailRow(
  state: ConsoleState,
  rowsOf: Parameters<typeof currentRow>[1],
): ReturnType<typeof currentRow> {
  return state.view === "episodes" ? selectedRow(state, rowsOf, "every") : currentRow(state, rowsOf);
}

/** What is known about the row under the cursor. */
export const DetailPane = memo(function DetailPane({
  width,
  height,
}: {
  width: number;
  height: number;
}): ReactElement {
  const { store, rowsOf } = useShared();
  const look = useContext(LookContext);
  useParts((state) => [state.repositories, state.now, state.cursors, state.filters, state.focus, state.view]);
  const state = store.getState();
  const row = detailRow(state, rowsOf);
  const inner = width - 3;
  const slices = row === undefined ? undefined : state.repositories[row.root];
  const room = { width: inner, height: height - 2 };
  const context = { ...room, now: state.now, home: look.home, root: row?.root ?? "", slices };
  const lines = row === undefined ? [[span("nothing is selected", "muted")]] : detailLines(row, context);
  const hidden = Math.max(0, lines.length - (height - 2));
  return (
    <Framed
      title="Selected"
      counts=""
      focused={false}
      lines={lines.map((line) => [span(" "), ...line])}
      width={width}
      height={height}
      note={hidden > 0 && !look.plain ? counted(hidden, "more line") : ""}
    />
  );
});
