import { keyText } from "../key-map.ts";
import type { ActionId, Binding } from "../binding.ts";
import { VIEWS, viewOf } from "../places.ts";
import type { ConsoleState } from "../store.ts";
import { joinLines, lineWidth, show, span, spread } from "./line.ts";
import type { Line, Span } from "./line.ts";
import { grouped } from "./numbers.ts";
import { keyHint, panelKeys } from "./panel-keys.ts";

const BAR_CELLS = 12;

/** How far long work has come: a bar where the end is known. */
function progressLine(state: ConsoleState, cancelKey: string): Line {
  const { busy } = state;
  if (busy === undefined) return [];
  const { done, total } = busy;
  const filled =
    total === undefined || total === 0 ? 0 : Math.round((Math.min(done ?? 0, total) / total) * BAR_CELLS);
  const bar =
    total === undefined
      ? []
      : [span(" "), span("█".repeat(filled), "accent"), span("░".repeat(BAR_CELLS - filled), "muted")];
  const many =
    done === undefined ? "" : ` ${grouped(done)}${total === undefined ? "" : ` of ${grouped(total)}`}`;
  return [
    span(` ${show(busy.what)}${many}`),
    ...bar,
    span("  "),
    span(cancelKey, "accent"),
    span(" cancel", "muted"),
  ];
}

/** Movement keys that a person knows as pairs are shown as pairs, in the order of their hands. */
const PAIRS: Readonly<Partial<Record<ActionId, readonly ActionId[]>>> = {
  down: ["down", "up"],
  right: ["left", "right"],
};

function letterOf(bindings: readonly Binding[], action: ActionId): string {
  return bindings.find((binding) => binding.action === action)?.keys.find((key) => key.length === 1) ?? "";
}

function hintSpans(binding: Binding, bindings: readonly Binding[]): Span[] {
  const pair = (PAIRS[binding.action] ?? []).map((action) => letterOf(bindings, action)).join("");
  const shown = pair.length === 2 ? pair : keyText(binding.keys[0] ?? "");
  return [span(shown, "accent"), span(` ${binding.hint ?? ""}`, "muted")];
}

/** Narrower screens name the view that is shown and no other: the keys of now come first. */
const TITLES_FROM = 150;

/** From here on each view has its digit; narrower ones leave the room to the keys of now. */
const DIGITS_FROM = 80;

function viewTabs(state: ConsoleState, width: number): Line {
  if (width < DIGITS_FROM) {
    return [span(`1-${VIEWS.length} `, "muted"), span(viewOf(state.view).title, "accent", true), span(" ")];
  }
  return VIEWS.flatMap((view) => {
    const current = view.id === state.view;
    const tone = current ? "accent" : "muted";
    const title = width >= TITLES_FROM || current ? ` ${view.title}` : "";
    return [span(`${view.digit}${title}`, tone, current), span(" ")];
  });
}

/** The last row: the keys that do something here and now, or what is running. */
export function footerLine(
  state: ConsoleState,
  bindings: readonly Binding[],
  works: (binding: Binding) => boolean,
  width: number,
): Line {
  const covering = panelKeys(state.mode, bindings);
  if (covering !== undefined) return [span(" "), ...covering];
  const tabs = width >= 50 ? viewTabs(state, width) : [];
  if (state.mode.kind === "filter") {
    const hint = [...keyHint("Enter", "keep"), ...keyHint("Esc", "drop")];
    return spread([span(" / ", "accent"), span(show(state.mode.text)), span("█", "accent")], hint, width);
  }
  const cancel = bindings.find((binding) => binding.action === "cancel");
  if (state.busy !== undefined)
    return spread(progressLine(state, keyText(cancel?.keys[0] ?? "X")), tabs, width);
  const hints = bindings.filter(
    (binding) => binding.hint !== undefined && binding.after === undefined && works(binding),
  );
  const widthOfHint = (binding: Binding): number => lineWidth(hintSpans(binding, bindings)) + 2;
  let room = width - lineWidth(tabs) - 2;
  const chosen = new Set<Binding>();
  for (const binding of hints.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    if (binding.action === "nextPane" && [...chosen].some((each) => each.action === "right")) continue;
    if (widthOfHint(binding) > room) continue;
    room -= widthOfHint(binding);
    chosen.add(binding);
  }
  const shown = hints.filter((binding) => chosen.has(binding)).map((binding) => hintSpans(binding, bindings));
  return spread([span(" "), ...joinLines(shown, span("  "))], tabs, width);
}

/** Stands for every key that only the rows of this view know. */
const OF_THESE_ROWS = "of these rows";

/** Who gets room first. Whatever has none is in the help, so that the way there comes before all. */
const RANKS: readonly (ActionId | typeof OF_THESE_ROWS)[] = [
  "help",
  "leave",
  "recover",
  "open",
  OF_THESE_ROWS,
  "right",
  "nextPane",
  "filter",
  "palette",
  "down",
];

function rankOf({ action, rows }: Binding): number {
  const rank = RANKS.indexOf(action);
  if (rank >= 0) return rank;
  return rows === undefined ? RANKS.length : RANKS.indexOf(OF_THESE_ROWS);
}
