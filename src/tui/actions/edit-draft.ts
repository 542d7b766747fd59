import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readText } from "../../core/fs/read.ts";
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

/** Lets the person write a field in their editor, and takes over what the file holds afterwards. */
export function editInEditor(desk: Desk, form: Form, field: WrittenField): void {
  const directory = mkdtempSync(join(tmpdir(), "majordomus-"));
  try {
    const path = join(directory, `${field.id}.md`);
    writeFileSync(path, valueOf(form, desk.store.getState().drafts, field), { mode: 0o600 });
    if (!runEditor(desk, path)) return;
    const text = readText(path, { maximumBytes: 4 * LONGEST_TEXT });
    if (!text.ok) return say(desk, "bad", `not taken over: ${text.error.message}`);
    const clean = cleanText(text.value, field.kind).trimEnd();
    if (clean.length > LONGEST_TEXT) return say(desk, "bad", "not taken over: the text is too long");
    setValue(desk, form, field, clean);
    const { mode } = desk.store.getState();
    if (mode.kind === "form") desk.store.setState({ mode: { ...mode, caret: clean.length } });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
