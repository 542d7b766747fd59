import { keyText } from "../keys.ts";
import type { ActionId, Binding } from "../keys.ts";
import type { Mode } from "../mode.ts";
import { span } from "./line.ts";
import type { Line } from "./line.ts";

/** One key and what it does, for the footer. */
export function keyHint(key: string, does: string): Line {
  return [span(key, "accent"), span(` ${does}  `, "muted")];
}

function hintOf(bindings: readonly Binding[], action: ActionId, does: string): Line {
  const key = bindings.find((binding) => binding.action === action)?.keys[0];
  return key === undefined ? [] : keyHint(keyText(key), does);
}

function readerKeys(bindings: readonly Binding[], isFile: boolean): Line {
  const edit = isFile
    ? [...hintOf(bindings, "edit", "edit"), ...hintOf(bindings, "copy", "copy the path")]
    : [];
  return [...keyHint("↑↓", "scroll"), ...edit, ...keyHint("Esc", "back")];
}

function confirmKeys({ question }: Extract<Mode, { kind: "confirm" }>): Line {
  if (question.kind === "recover" && question.only.length === 0) return keyHint("Esc", "back");
  const does = { recover: "recover", close: "close it", leave: "leave" }[question.kind];
  return [...keyHint("Enter", does), ...keyHint("Esc", "do not")];
}

/** The keys of what covers the panes; undefined when the panes have them. */
export function panelKeys(mode: Mode, bindings: readonly Binding[]): Line | undefined {
  if (mode.kind === "palette") {
    return [...keyHint("↑↓", "choose"), ...keyHint("Enter", "do it"), ...keyHint("Esc", "back")];
  }
  if (mode.kind === "help") return [...keyHint("↑↓", "scroll"), ...keyHint("Esc", "back")];
  if (mode.kind === "reader") return readerKeys(bindings, mode.reading.path !== undefined);
  return mode.kind === "confirm" ? confirmKeys(mode) : undefined;
}
