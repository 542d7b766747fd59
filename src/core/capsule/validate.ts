import { isCeremonyAction, isInjectionEcho } from "./content-gate.ts";
import { CapsuleDocument } from "./document.ts";
import { CAPSULE_BYTES } from "./files.ts";

/** The four fields that a capsule cannot be without. */
export const REQUIRED_FIELDS = ["id", "objective", "waiting_on", "next_valid_action"] as const;
export type RequiredField = (typeof REQUIRED_FIELDS)[number];

export interface CapsuleProblem {
  /** Absent when it is about the file as a whole. */
  field?: RequiredField;
  message: string;
}

export interface Validation {
  fields: Partial<Record<RequiredField, string>>;
  problems: CapsuleProblem[];
}

/** Beginnings that the content gate refuses, by field. */
const GATES: Partial<Record<RequiredField, { refuses: (text: string) => boolean; message: string }>> = {
  objective: {
    refuses: isInjectionEcho,
    message: "is taken by the content gate for an injected instruction, not a person's objective",
  },
  next_valid_action: {
    refuses: isCeremonyAction,
    message: "is taken by the content gate for the ceremony of resuming, not an action",
  },
};

function problemOf(document: CapsuleDocument, field: RequiredField): string | undefined {
  const scalar = document.scalar(field);
  if (scalar === undefined) return "is missing from the front matter";
  if (scalar.nothing) return `is a bare ${scalar.token}, which is no value`;
  if (scalar.text.trim() === "") return "is empty";
  if (scalar.commented) return "has an inline comment, which readers cut off differently";
  const gate = GATES[field];
  return gate?.refuses(scalar.text) === true ? gate.message : undefined;
}

/** Whether a spend would make a capsule larger than one may be, so that no clear can resume it. */
function isTooLargeToSpend(document: CapsuleDocument): boolean {
  if (document.text("status") !== "active") return false;
  const { start, end } = document.tokenSpan("status") ?? { start: 0, end: 0 };
  return document.size + "resumed".length - (end - start) > CAPSULE_BYTES;
}

/** Validates a parsed capsule: front matter alone counts here, not the body (capsules.md 6.4). */
export function validateDocument(document: CapsuleDocument): Validation {
  const validation: Validation = { fields: {}, problems: [] };
  for (const field of REQUIRED_FIELDS) {
    const value = document.text(field);
    if (value !== "") validation.fields[field] = value;
    const message = problemOf(document, field);
    if (message !== undefined) validation.problems.push({ field, message });
  }
  if (isTooLargeToSpend(document))
    validation.problems.push({ message: "is too large to be marked as resumed: shorten its text" });
  return validation;
}

/** Validates the text of a capsule; no problems are a pass. */
export function validateCapsuleText(text: string | Buffer): Validation {
  const document = CapsuleDocument.parse(typeof text === "string" ? Buffer.from(text) : text);
  if (document !== undefined) return validateDocument(document);
  return { fields: {}, problems: [{ message: "has no front matter" }] };
}

/** A problem as one clause, with its field. */
export function problemText({ field, message }: CapsuleProblem): string {
  return field === undefined ? message : `${field} ${message}`;
}
