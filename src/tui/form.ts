import type { Fact } from "./model/facts.ts";
import type { TextKind } from "./model/text-field.ts";
import type { Proposal } from "./proposal.ts";

export interface Option {
  value: string;
  /** What it means, in a few words. */
  says: string;
}

interface FieldBase {
  id: string;
  label: string;
  /** What may be left out, or what becomes of it. */
  hint?: string;
}

export type FormField = FieldBase &
  ({ kind: TextKind } | { kind: "choice"; options: readonly [Option, ...Option[]] });

/** A field that is written in, as against one where something is chosen. */
export type WrittenField = Extract<FormField, { kind: TextKind }>;

/** What is in the fields, by their ids: texts, and the values of choices. */
export type Values = Readonly<Record<string, string>>;

export type Review = Proposal | string | undefined;

/** Something that a person writes before it is shown whole and then stored. */
export interface Form {
  /** Which draft it goes on with: one for each repository, act and subject. */
  draft: string;
  title: string;
  root: string;
  /** What to know while writing. */
  intro: readonly Fact[];
  fields: readonly [FormField, ...FormField[]];
  /** What the fields begin with; nothing, where it is not said. */
  initial: Values;
  /** What would be written; a text says why nothing can be, and nothing that it was said already. */
  review: (values: Values) => Review | Promise<Review>;
}

/** Everything that is written and not stored yet, by draft. */
export type Drafts = Readonly<Record<string, Values>>;

/** The value of a field: the draft's, else the form's own, else nothing or the first option. */
export function valueOf(form: Form, drafts: Drafts, field: FormField): string {
  const value = drafts[form.draft]?.[field.id] ?? form.initial[field.id];
  if (field.kind !== "choice") return value ?? "";
  return field.options.some((option) => option.value === value) ? (value ?? "") : field.options[0].value;
}

/** All values of a form as they would be reviewed. */
export function valuesOf(form: Form, drafts: Drafts): Values {
  return Object.fromEntries(form.fields.map((field) => [field.id, valueOf(form, drafts, field)]));
}

/** Whether a draft holds anything that its form did not begin with. */
export function isWritten(form: Form, drafts: Drafts): boolean {
  return form.fields.some(
    (field) => field.kind !== "choice" && valueOf(form, drafts, field) !== (form.initial[field.id] ?? ""),
  );
}
