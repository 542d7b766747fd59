import { inert } from "../core/text/inert.ts";
import { ACTIONS, act } from "./actions/actions.ts";
import { closeEpisode } from "./actions/close.ts";
import { copy, edit } from "./actions/outside.ts";
import { formKey, openForm, pasteIntoForm } from "./actions/form-keys.ts";
import { carryOut, editProposal } from "./actions/propose.ts";
import { applyRecovery } from "./actions/recover.ts";
import { graphemesOf } from "./cells.ts";
import type { Desk } from "./desk.ts";
import { enterMode } from "./desk.ts";
import type { InputEvent } from "./input-events.ts";
import { followersOf, keyMapOf } from "./key-map.ts";
import type { ActionId, Binding } from "./binding.ts";
import type { Mode, Question } from "./mode.ts";
import { panelOf } from "./model/panel.ts";
import { paletteEntries } from "./palette.ts";
import type { Form } from "./form.ts";
import type { Proposal } from "./proposal.ts";

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

/** The key after one that waits for it; any other key only ends the waiting. */
function follow(desk: Desk, key: string, mode: ModeOf<"prefix">): void {
  enterMode(desk, { kind: "browse" });
  const binding = followersOf(desk.bindings, mode.prefix).find((candidate) => candidate.keys.includes(key));
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

/** Rows of the screen that are not the panel's text: header, status, footer, borders, and the last row. */
const EDGES = 6;

/** How far each movement goes, in rows of a text. */
function stepOf(action: ActionId | undefined, room: number, count: number): number | undefined {
  const steps: Readonly<Partial<Record<ActionId, number>>> = {
    up: -1,
    down: 1,
    pageUp: -room,
    pageDown: room,
    mark: room,
    first: -count,
    last: count,
  };
  return action === undefined ? undefined : steps[action];
}

type Covering = ModeOf<"help" | "reader" | "confirm">;

/** Scrolls a text over the panes; true when the key was one of scrolling. */
function scroll(desk: Desk, action: ActionId | undefined, mode: Covering): boolean {
  const state = desk.store.getState();
  const { columns, rows } = state.size;
  const room = Math.max(1, rows - EDGES);
  const space = { width: columns - 4, home: desk.environment["HOME"] };
  const count = panelOf(state, desk.bindings, space)?.lines.length ?? 0;
  const step = stepOf(action, room, count);
  if (step === undefined) return false;
  const most = Math.max(0, count - room);
  const top = Math.max(0, Math.min(Math.min(mode.top, most) + step, most));
  if (top !== mode.top) enterMode(desk, { ...mode, top });
  return true;
}

const CLOSES: ReadonlySet<string> = new Set(["escape", "q"]);

/** Keys of what covers the panes: scrolling, its own, and the way back. */
function cover(desk: Desk, key: string, mode: Covering): void {
  const action = keyMapOf(desk.bindings).get(key)?.action;
  if (scroll(desk, action, mode)) return;
  if (mode.kind === "confirm" && key === "enter") return answer(desk, mode.question);
  if (mode.kind === "confirm" && mode.question.kind === "propose") {
    const { form } = mode.question;
    if (form !== undefined && CLOSES.has(key)) return openForm(desk, form);
    if (form !== undefined && action === "edit") return editProposal(desk, form);
  }
  if (CLOSES.has(key) || (mode.kind !== "confirm" && (key === "enter" || action === "help"))) {
    return enterMode(desk, { kind: "browse" });
  }
  if (mode.kind !== "reader") return;
  if (action === "copy") copy(desk);
  if (action === "edit") void edit(desk);
}

/** What can only be read leads back to where it came from. */
function accept(desk: Desk, proposal: Proposal, form: Form | undefined): void {
  if (proposal.acts.length > 0) return void carryOut(desk, proposal, form);
  if (form !== undefined) openForm(desk, form);
}

function answer(desk: Desk, question: Question): void {
  // Back to the panes at once: a second Enter finds nothing to confirm.
  enterMode(desk, { kind: "browse" });
  if (question.kind === "leave") return desk.leave(0);
  if (question.kind === "close") return void closeEpisode(desk, question);
  if (question.kind === "propose") return accept(desk, question.proposal, question.form);
  if (question.only.length > 0) void applyRecovery(desk, question);
}

/** Routes one event by what the keyboard talks to now; reads the store itself, never what is drawn. */
export function dispatch(desk: Desk, event: InputEvent): void {
  const { mode } = desk.store.getState();
  if ("paste" in event) return paste(desk, event.paste, mode);
  if (event.key === "ctrl-c") return void ACTIONS.leave(desk);
  if (event.key === "ctrl-l") return void ACTIONS.repaint(desk);
  if (event.key === "ctrl-z") return void ACTIONS.suspend(desk);
  if (mode.kind === "browse") return browse(desk, event.key);
  if (mode.kind === "filter") return filter(desk, event.key, mode);
  if (mode.kind === "palette") return palette(desk, event.key, mode);
  if (mode.kind === "prefix") return follow(desk, event.key, mode);
  if (mode.kind === "form") return formKey(desk, event.key, mode);
  return cover(desk, event.key, mode);
}

const LONGEST_PASTE = 200;

/** Text goes where text is written, as one line outside forms; elsewhere it is dropped: it must not act as keys. */
function paste(desk: Desk, text: string, mode: Mode): void {
  const line = inert(text.replaceAll(/\s+/g, " ")).trim().slice(0, LONGEST_PASTE);
  if (mode.kind === "filter") setFilter(desk, mode, mode.text + line);
  if (mode.kind === "palette") enterMode(desk, { ...mode, query: mode.query + line, index: 0 });
  if (mode.kind === "form") pasteIntoForm(desk, text, mode);
}
