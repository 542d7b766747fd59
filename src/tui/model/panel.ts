import type { Binding } from "../binding.ts";
import type { ConsoleState } from "../store.ts";
import { questionLines, questionTitle } from "./confirm.ts";
import { drawForm } from "./form-lines.ts";
import { helpLines } from "./help.ts";
import type { Line } from "./line.ts";
import { shortPath } from "./names.ts";
import { readingLines } from "./reading.ts";

/** What covers the panes while a person reads, confirms or looks a key up. */
export interface Panel {
  title: string;
  counts: string;
  lines: readonly Line[];
  top: number;
  /** A line that must be seen, whatever the top is. */
  follow?: number;
}

/** Cells that a line of a panel has, and the home directory to shorten paths with. */
export interface PanelSpace {
  width: number;
  home: string | undefined;
}

/** The panel of the current mode; undefined when the panes are seen. */
export function panelOf(
  state: ConsoleState,
  bindings: readonly Binding[],
  space: PanelSpace,
): Panel | undefined {
  const { mode } = state;
  if (mode.kind === "reader") {
    const { path, title } = mode.reading;
    const counts = path === undefined ? "" : shortPath(path, space.home);
    return { title, counts, lines: readingLines(mode.reading, space.width), top: mode.top };
  }
  if (mode.kind === "confirm") {
    const { question, top } = mode;
    return { title: questionTitle(question), counts: "", lines: questionLines(question, space), top };
  }
  if (mode.kind === "form") {
    const { lines, row } = drawForm(mode.form, state.drafts, mode, space.width);
    return { title: mode.form.title, counts: "", lines, top: 0, follow: row };
  }
  if (mode.kind !== "help") return undefined;
  return { title: "Keys", counts: "", lines: helpLines(state, bindings), top: mode.top };
}
