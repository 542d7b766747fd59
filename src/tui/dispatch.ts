import { inert } from "../core/text/inert.ts";
import { ACTIONS, act } from "./actions/actions.ts";
import { closeEpisode } from "./actions/close.ts";
import { copy, edit } from "./actions/outside.ts";
import { applyRecovery } from "./actions/recover.ts";
import { graphemesOf } from "./cells.ts";
import type { Desk } from "./desk.ts";
import { enterMode } from "./desk.ts";
import type { InputEvent } from "./input-events.ts";
import { keyMapOf } from "./keys.ts";
import type { Binding } from "./keys.ts";
import type { Mode, Question } from "./mode.ts";
import { panelOf } from "./model/panel.ts";
import { paletteEntries } from "./palette.ts";

type ModeOf<Kind extends Mode["kind"]> = Extract<Mode, { kind: Kind }>;

function textAfter(text: string, key: string): string | undefined {
  if (key === "backspace") return graphemesOf(text).slice(0, -1).join("");
  if (key === "ctrl-u") return "";
  if (key === "space") return `${text} `;
  return graphemesOf(key).length === 1 ? text + key : undefined;
}

function browse(desk: Desk, key: string): void {
  const binding = keyMapOf(desk.bindings).get(key);
  if (binding !== undefined) act(desk, binding);
}

function setFilter(desk: Desk, mode: ModeOf<"filter">, text: string): void {
  const { filters } = desk.store.getState();
  desk.store.setState({ mode: { ...mode, text }, filters: { ...filters, [mode.pane]: text } });
}

function filter(desk: Desk, key: string, mode: ModeOf<"filter">): void {
  if (key === "enter") return enterMode(desk, { kind: "browse" });
  if (key === "escape") {
    setFilter(desk, mode, mode.before);
    return enterMode(desk, { kind: "browse" });
  }
  const text = textAfter(mode.text, key);
  if (text !== undefined) setFilter(desk, mode, text);
}

function offered(desk: Desk, query: string): readonly Binding[] {
  const state = desk.store.getState();
  const candidates = desk.bindings.filter((binding) => binding.moves !== true && desk.works(binding, state));
  return paletteEntries(candidates, query).map((entry) => entry.binding);
}

function palette(desk: Desk, key: string, mode: ModeOf<"palette">): void {
  const entries = offered(desk, mode.query);
  const move = key === "up" ? -1 : key === "down" || key === "tab" ? 1 : 0;
  if (key === "escape" || key === "ctrl-k") return enterMode(desk, { kind: "browse" });
  if (move !== 0) {
    const index = Math.max(0, Math.min(mode.index + move, entries.length - 1));
    return enterMode(desk, { ...mode, index });
  }
  if (key === "enter") {
    const chosen = entries[Math.min(mode.index, entries.length - 1)];
    enterMode(desk, { kind: "browse" });
    if (chosen !== undefined) act(desk, chosen);
    return;
  }
  const query = textAfter(mode.query, key);
  if (query !== undefined) enterMode(desk, { kind: "palette", query, index: 0 });
}

const BODY_EDGES = 4;

/** Scrolls a panel; true when the key was one of scrolling. */
function scroll(desk: Desk, key: string, mode: ModeOf<"help" | "reader" | "confirm">): boolean {
  const state = desk.store.getState();
  const { columns, rows } = state.size;
  const room = Math.max(1, rows - BODY_EDGES - 3);
  const count = panelOf(state, desk.bindings, columns - 4, desk.environment["HOME"])?.lines.length ?? 0;
  const most = Math.max(0, count - room);
  const steps: Readonly<Record<string, number>> = {
    up: -1,
    k: -1,
    down: 1,
    j: 1,
    pageup: -room,
    pagedown: room,
    space: room,
    g: -count,
    home: -count,
    G: count,
    end: count,
  };
  const step = steps[key];
  if (step === undefined) return false;
  const top = Math.max(0, Math.min(Math.min(mode.top, most) + step, most));
  if (top !== mode.top) enterMode(desk, { ...mode, top });
  return true;
}

function help(desk: Desk, key: string, mode: ModeOf<"help">): void {
  if (!scroll(desk, key, mode) && ["escape", "q", "?", "enter"].includes(key))
    enterMode(desk, { kind: "browse" });
}

function reader(desk: Desk, key: string, mode: ModeOf<"reader">): void {
  if (scroll(desk, key, mode)) return;
  if (key === "escape" || key === "q" || key === "enter") enterMode(desk, { kind: "browse" });
  if (key === "y") copy(desk);
  if (key === "e") void edit(desk);
}

function answer(desk: Desk, question: Question): void {
  // Back to the panes at once: a second Enter finds nothing to confirm.
  enterMode(desk, { kind: "browse" });
  if (question.kind === "leave") return desk.leave(0);
  if (question.kind === "close") return void closeEpisode(desk, question);
  if (question.only.length > 0) void applyRecovery(desk, question);
}

function confirm(desk: Desk, key: string, mode: ModeOf<"confirm">): void {
  if (scroll(desk, key, mode)) return;
  if (key === "enter") return answer(desk, mode.question);
  if (key === "escape" || key === "q" || key === "n") enterMode(desk, { kind: "browse" });
}

/** Routes one event by what the keyboard talks to now; reads the store itself, never what is drawn. */
export function dispatch(desk: Desk, event: InputEvent): void {
  const { mode } = desk.store.getState();
  if ("paste" in event) return paste(desk, event.paste, mode);
  if (event.key === "ctrl-c") return void ACTIONS.leave(desk);
  if (event.key === "ctrl-z") return void ACTIONS.suspend(desk);
  switch (mode.kind) {
    case "browse":
      return browse(desk, event.key);
    case "filter":
      return filter(desk, event.key, mode);
    case "palette":
      return palette(desk, event.key, mode);
    case "help":
      return help(desk, event.key, mode);
    case "reader":
      return reader(desk, event.key, mode);
    case "confirm":
      return confirm(desk, event.key, mode);
  }
}

const LONGEST_PASTE = 200;

/** Text goes where text is written, as one line; elsewhere it is dropped: it must not act as keys. */
function paste(desk: Desk, text: string, mode: Mode): void {
  const line = inert(text.replaceAll(/\s+/g, " ")).trim().slice(0, LONGEST_PASTE);
  if (mode.kind === "filter") setFilter(desk, mode, mode.text + line);
  if (mode.kind === "palette") enterMode(desk, { ...mode, query: mode.query + line, index: 0 });
}
