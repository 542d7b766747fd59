import type { Binding } from "../keys.ts";
import { questionLines, questionTitle } from "./confirm.ts";
import { helpLines } from "./help.ts";
import { span } from "./line.ts";
import type { Line } from "./line.ts";
import { shortPath } from "./names.ts";
import { readingLines } from "./reading.ts";
import type { ConsoleState } from "../store.ts";

/** What covers the panes while a person reads, confirms or looks a key up. */
export interface Panel {
  title: string;
  counts: string;
  lines: readonly Line[];
  /** Keys that answer, below the text. */
  foot: Line;
  top: number;
}

function key(name: string, does: string): Line {
  return [span(name, "accent"), span(` ${does}   `, "muted")];
}

/** The panel of the current mode; undefined when the panes are seen. */
export function panelOf(
  state: ConsoleState,
  bindings: readonly Binding[],
  width: number,
  home: string | undefined,
): Panel | undefined {
  const { mode } = state;
  switch (mode.kind) {
    case "help":
      return {
        title: "Keys",
        counts: "",
        lines: helpLines(state, bindings),
        foot: key("Esc", "back"),
        top: mode.top,
      };
    case "reader": {
      const { reading } = mode;
      const lines = readingLines(reading, width);
      const counts = reading.path === undefined ? "" : shortPath(reading.path, home);
      const edit = reading.path === undefined ? [] : [...key("e", "edit"), ...key("y", "copy the path")];
      return {
        title: reading.title,
        counts,
        lines,
        foot: [...key("jk", "scroll"), ...edit, ...key("Esc", "back")],
        top: mode.top,
      };
    }
    case "confirm": {
      const { question } = mode;
      const lines = questionLines(question, { width, home });
      const enter = question.kind === "leave" ? "leave" : "do it";
      const nothing = question.kind === "recover" && question.only.length === 0;
      const foot = [...(nothing ? [] : key("Enter", enter)), ...key("Esc", nothing ? "back" : "do not")];
      return { title: questionTitle(question), counts: "", lines, foot, top: mode.top };
    }
    case "browse":
    case "filter":
    case "palette":
      return undefined;
  }
}
