import { followersOf, keyText } from "../key-map.ts";
import type { ActionId, Binding } from "../binding.ts";
import type { Mode, Question } from "../mode.ts";
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
    : hintOf(bindings, "copy", "copy the text");
  return [...keyHint("↑↓", "scroll"), ...edit, ...keyHint("Esc", "back")];
}

function confirmKeys({ question }: Extract<Mode, { kind: "confirm" }>, bindings: readonly Binding[]): Line {
  if (question.kind === "recover" && question.only.length === 0) return keyHint("Esc", "back");
  if (question.kind === "propose") return proposalKeys(question, bindings);
  const does = { recover: "recover", close: "close it", leave: "leave" }[question.kind];
  return [...keyHint("Enter", does), ...keyHint("Esc", "do not")];
}

function proposalKeys(
  { proposal: { acts, verb }, form }: Extract<Question, { kind: "propose" }>,
  bindings: readonly Binding[],
): Line {
  const scroll = keyHint("↑↓", "scroll");
  if (acts.length === 0) return [...scroll, ...keyHint("Esc", "back")];
  const change = form === undefined ? [] : hintOf(bindings, "edit", "in $EDITOR");
  return [
    ...keyHint("Enter", verb),
    ...keyHint("Esc", form === undefined ? "do not" : "back to the form"),
    ...change,
    ...scroll,
  ];
}

function formKeys({ form, field }: Extract<Mode, { kind: "form" }>, bindings: readonly Binding[]): Line {
  const writing = form.fields[field]?.kind !== "choice";
  return [
    ...hintOf(bindings, "review", "review"),
    ...(form.fields.length > 1 ? keyHint("Tab", "next field") : []),
    ...(writing ? hintOf(bindings, "editDraft", "$EDITOR") : keyHint("↑↓", "choose")),
    ...keyHint("Esc", "leave it"),
  ];
}

function prefixKeys(prefix: ActionId, bindings: readonly Binding[]): Line {
  const followers = followersOf(bindings, prefix).flatMap((binding) =>
    keyHint(keyText(binding.keys[0] ?? ""), binding.hint ?? binding.title),
  );
  return [span("new  "), ...followers, ...keyHint("Esc", "back")];
}

/** The keys of what covers the panes; undefined when the panes have them. */
export function panelKeys(mode: Mode, bindings: readonly Binding[]): Line | undefined {
  if (mode.kind === "palette") {
    return [...keyHint("↑↓", "choose"), ...keyHint("Enter", "do it"), ...keyHint("Esc", "back")];
  }
  if (mode.kind === "help") return [...keyHint("↑↓", "scroll"), ...keyHint("Esc", "back")];
  if (mode.kind === "reader") return readerKeys(bindings, mode.reading.path !== undefined);
  if (mode.kind === "prefix") return prefixKeys(mode.prefix, bindings);
  if (mode.kind === "form") return formKeys(mode, bindings);
  return mode.kind === "confirm" ? confirmKeys(mode, bindings) : undefined;
}
