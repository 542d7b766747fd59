/** The kinds of things that a record may name, those of older and newer writers together (records.md 12.3). */
export const REFERENCE_KINDS = [
  "file",
  "test",
  "commit",
  "session",
  "decision",
  "task",
  "knowledge",
  "rule",
  "adr",
  "issue",
] as const;
export type ReferenceKind = (typeof REFERENCE_KINDS)[number];

export interface Reference {
  kind: ReferenceKind;
  value: string;
}

const KINDS: ReadonlySet<string> = new Set(REFERENCE_KINDS);

function isKind(text: string): text is ReferenceKind {
  return KINDS.has(text);
}

/** Takes `kind:value` apart; the failure says what is wrong with it. `none` names nothing. */
export function parseReference(text: string): Reference | { fault: string } {
  const colon = text.indexOf(":");
  if (colon < 0) return { fault: text === "none" ? "names nothing" : "is not `kind:value`" };
  const kind = text.slice(0, colon);
  const value = text.slice(colon + 1).trim();
  if (!isKind(kind)) return { fault: `has the kind ${kind}, which nobody knows` };
  return value === "" || value === "none" ? { fault: "names nothing" } : { kind, value };
}
