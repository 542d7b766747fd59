import { graphemesOf } from "../cells.ts";
import type { Desk } from "../desk.ts";
import { enterMode, say } from "../desk.ts";
import { isWritten, valueOf, valuesOf } from "../form.ts";
import type { Form, FormField, Review, WrittenField } from "../form.ts";
import { keyMapOf } from "../key-map.ts";
import type { Mode } from "../mode.ts";
import { fieldWidth } from "../model/form-lines.ts";
import { counted } from "../model/names.ts";
import { editField, insertText } from "../model/text-field.ts";
import type { TextField } from "../model/text-field.ts";
import { editInEditor, forgetTyped, setValue } from "./edit-draft.ts";

type FormMode = Extract<Mode, { kind: "form" }>;

/** Rows and columns of the screen that are not the text: header, status, footer, borders, margins. */
const EDGE_ROWS = 6;
const EDGE_COLUMNS = 4;

function fieldAt({ form, field }: FormMode): FormField {
  return form.fields[field] ?? form.fields[0];
}

/** Behind what is written; in an outline that nobody has filled in yet, below its first heading. */
function caretIn(form: Form, field: FormField, text: string): number {
  const heading = text.indexOf("\n") + 1;
  return text === form.initial[field.id] && heading > 0 ? heading : text.length;
}

/** Opens a form at a field, with the caret where writing goes on. */
export function openForm(desk: Desk, form: Form, field = 0): void {
  const spec = form.fields[field] ?? form.fields[0];
  const text = spec.kind === "choice" ? "" : valueOf(form, desk.store.getState().drafts, spec);
  const caret = caretIn(form, spec, text);
  desk.store.setState({ mode: { kind: "form", form, field, caret }, message: undefined });
}

/** Forgets what was written: it is stored now, or there was nothing. */
export function dropDraft(desk: Desk, form: Form): void {
  forgetTyped(desk, form);
  const { [form.draft]: _, ...drafts } = desk.store.getState().drafts;
  desk.store.setState({ drafts });
}

/** Leaves a form; what was written in it stays, and is there when it is opened again. */
function leaveForm(desk: Desk, form: Form): void {
  enterMode(desk, { kind: "browse" });
  if (!isWritten(form, desk.store.getState().drafts)) return dropDraft(desk, form);
  say(desk, "plain", "not stored; the draft is kept until you leave the console");
}

/** Shows whole what would be written. */
export function reviewForm(desk: Desk, form: Form): void {
  const review = form.review(valuesOf(form, desk.store.getState().drafts));
  if (review instanceof Promise) void showLater(desk, form, review);
  else showReview(desk, form, review);
}

async function showLater(desk: Desk, form: Form, review: Promise<Review>): Promise<void> {
  const proposal = await review;
  const { mode } = desk.store.getState();
  // Whoever left the form meanwhile did not want to see it.
  if (mode.kind === "form" && mode.form === form) showReview(desk, form, proposal);
}

function showReview(desk: Desk, form: Form, proposal: Review): void {
  if (proposal === undefined) return;
  if (typeof proposal === "string") return say(desk, "warn", proposal);
  const question = { kind: "propose", proposal, form } as const;
  desk.store.setState({ mode: { kind: "confirm", top: 0, question }, message: undefined });
}

function moveField(desk: Desk, mode: FormMode, step: 1 | -1, around: boolean): void {
  const count = mode.form.fields.length;
  const next = mode.field + step;
  if (!around && (next < 0 || next >= count)) return;
  openForm(desk, mode.form, (next + count) % count);
}

function choose(desk: Desk, form: Form, field: Extract<FormField, { kind: "choice" }>, step: 1 | -1): void {
  const value = valueOf(form, desk.store.getState().drafts, field);
  const at = field.options.findIndex((option) => option.value === value) + step;
  const option = field.options[Math.max(0, Math.min(at, field.options.length - 1))];
  if (option !== undefined) setValue(desk, form, field, option.value);
}

const CHOOSING: Readonly<Record<string, 1 | -1>> = { up: -1, left: -1, down: 1, right: 1, space: 1 };

function write(desk: Desk, mode: FormMode, field: WrittenField, changed: TextField): void {
  const { text } = currentText(desk, mode, field);
  if (changed.text !== text) setValue(desk, mode.form, field, changed.text);
  enterMode(desk, { ...mode, caret: changed.caret });
}

function currentText(desk: Desk, mode: FormMode, field: WrittenField): TextField {
  const text = valueOf(mode.form, desk.store.getState().drafts, field);
  return { text, caret: Math.min(mode.caret, text.length) };
}

function insert(desk: Desk, mode: FormMode, field: WrittenField, added: string): void {
  const { field: changed, dropped } = insertText(currentText(desk, mode, field), added, field.kind);
  write(desk, mode, field, changed);
  if (dropped > 0) say(desk, "warn", `too long: the last ${counted(dropped, "character")} had no room`);
}

function writingKey(desk: Desk, key: string, mode: FormMode, field: WrittenField): void {
  const { columns, rows } = desk.store.getState().size;
  const width = fieldWidth(columns - EDGE_COLUMNS);
  const edited = editField(currentText(desk, mode, field), key, width, Math.max(1, rows - EDGE_ROWS));
  if (edited !== undefined) return write(desk, mode, field, edited);
  if (key === "enter" && field.kind === "line") return moveField(desk, mode, 1, false);
  const typed = key === "enter" ? "\n" : key === "space" ? " " : key;
  if (typed === "\n" || graphemesOf(typed).length === 1) insert(desk, mode, field, typed);
}

/**
 * One key in a form. Enter never stores anything: it is a line break, or the way to the next field, because
 * a paste that a terminal sends as keys must not store half of itself.
 */
export function formKey(desk: Desk, key: string, mode: FormMode): void {
  const field = fieldAt(mode);
  // Single characters are text here; only named keys keep their meaning.
  const action = graphemesOf(key).length === 1 ? undefined : keyMapOf(desk.bindings).get(key)?.action;
  if (action === "review") return reviewForm(desk, mode.form);
  if (action === "editDraft")
    return field.kind === "choice" ? undefined : editInEditor(desk, mode.form, field);
  if (key === "escape") return leaveForm(desk, mode.form);
  if (key === "tab" || key === "shift-tab") return moveField(desk, mode, key === "tab" ? 1 : -1, true);
  if (field.kind !== "choice") return writingKey(desk, key, mode, field);
  const step = CHOOSING[key];
  if (step !== undefined) return choose(desk, mode.form, field, step);
  if (key === "enter") moveField(desk, mode, 1, false);
}

/** Puts pasted text into the field; it acts as no key, whatever it holds. */
export function pasteIntoForm(desk: Desk, text: string, mode: FormMode): void {
  const field = fieldAt(mode);
  if (field.kind !== "choice") insert(desk, mode, field, text);
}
