import type { ReactElement } from "react";
import { useContext } from "react";
import { LookContext } from "./look-context.ts";
import { span } from "../model/line.ts";
import { counted } from "../model/names.ts";
import { panelOf } from "../model/panel.ts";
import { windowOf } from "../model/window.ts";
import { useParts, useShared } from "./console-context.ts";
import { Framed } from "./framed.tsx";

/** Lines of text that a panel of this height shows. */
export function panelRoom(height: number): number {
  return Math.max(1, height - 2);
}

/** The text over the panes: help, a record, a question. */
export function PanelView({ width, height }: { width: number; height: number }): ReactElement | null {
  const { store, bindings } = useShared();
  const look = useContext(LookContext);
  useParts((state) => [state.mode, state.view, state.drafts]);
  const panel = panelOf(store.getState(), bindings, { width: width - 4, home: look.home });
  if (panel === undefined) return null;
  const room = panelRoom(height);
  const top =
    panel.follow === undefined
      ? Math.max(0, Math.min(panel.top, panel.lines.length - room))
      : windowOf(panel.lines.length, room, panel.follow).top;
  const shown = panel.lines.slice(top, top + room);
  const below = panel.lines.length - top - shown.length;
  const note = [top > 0 ? `${top} above` : "", below > 0 ? `${counted(below, "line")} below` : ""].filter(
    Boolean,
  );
  return (
    <Framed
      title={panel.title}
      counts={panel.counts}
      focused
      lines={shown.map((line) => [span(" "), ...line])}
      width={width}
      height={height}
      note={note.join(", ")}
    />
  );
}
