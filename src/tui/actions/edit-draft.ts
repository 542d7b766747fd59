import { readText } from "../../core/fs/read.ts";
import { beginTypedText, dropTypedText, keepTypedText } from "../../core/journal/typed-text.ts";
import type { Desk } from "../desk.ts";
import { say } from "../desk.ts";
import { valueOf, valuesOf } from "../form.ts";
import type { Form, FormField, WrittenField } from "../form.ts";
import { cleanText, LONGEST_TEXT } from "../model/text-field.ts";
import { runEditor } from "./outside.ts";

/** Keeps the value of a field in the form's draft. */
export function setValue(desk: Desk, form: Form, field: FormField, value: string): void {
  const { drafts } = desk.store.getState();
  const values = { ...valuesOf(form, drafts), [field.id]: value };
  desk.store.setState({ drafts: { ...drafts, [form.draft]: values } });
}

function keyOf(form: Form, field: string): string {
  return `${form.draft}\0${field}`;
}

/** Forgets what was typed for a form in an editor: its record stands, or nothing is left of it. */
export function forgetTyped({ typed }: Desk, form: Form): void {
  for (const [key, text] of typed) {
    if (!key.startsWith(keyOf(form, ""))) continue;
    dropTypedText(text);
    typed.delete(key);
  }
}

/** The text of the file, fit for the field; or why it cannot be taken over. */
function takenOver(path: string, kind: WrittenField["kind"]): { text: string } | { reason: string } {
  const read = readText(path, { maximumBytes: 4 * LONGEST_TEXT });
  if (!read.ok) return { reason: read.error.message };
  const text = cleanText(read.value, kind).trimEnd();
  return text.length > LONGEST_TEXT ? { reason: "the text is too long" } : { text };
}

/**
 * Lets the person write a field in their editor, and takes over what the file holds afterwards. The file stays until
 * the record stands; one that could not be taken over is named.
 */
export function editInEditor(desk: Desk, form: Form, field: WrittenField): void {
  const { environment, store, typed } = desk;
  const beginning = valueOf(form, store.getState().drafts, field);
  const text = beginTypedText(environment, { name: field.id, beginning, milliseconds: store.getState().now });
  const ended = runEditor(desk, text.path);
  const taken = ended ? takenOver(text.path, field.kind) : { reason: "the editor ended without success" };
  if ("reason" in taken) {
    const path = keepTypedText(text);
    if (path !== undefined) say(desk, "bad", `not taken over: ${taken.reason}; the text is kept in ${path}`);
    else if (ended) say(desk, "bad", `not taken over: ${taken.reason}`);
    return;
  }
  const key = keyOf(form, field.id);
  const former = typed.get(key);
  if (former !== undefined) dropTypedText(former);
  typed.set(key, text);
  setValue(desk, form, field, taken.text);
  const { mode } = store.getState();
  if (mode.kind === "form") store.setState({ mode: { ...mode, caret: taken.text.length } });
}
