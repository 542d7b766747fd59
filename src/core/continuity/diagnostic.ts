import * as z from "zod/mini";

/** Something about the store that a person should know, under a stable code. */
export const Diagnostic = z.object({
  severity: z.enum(["info", "warning", "error"]),
  code: z.string(),
  message: z.string(),
  /** The record, path or line that it is about. */
  subject: z.optional(z.string()),
});
export type Diagnostic = z.infer<typeof Diagnostic>;

/** Composes a diagnostic. */
export function diagnostic(
  severity: Diagnostic["severity"],
  code: string,
  message: string,
  subject?: string,
): Diagnostic {
  return { severity, code, message, ...(subject === undefined ? {} : { subject }) };
}

/** Files that are named one by one; the rest is counted, so that a hostile store cannot flood an answer. */
const NAMED = 20;

/** At most twenty of one kind, and one that counts the rest. */
export function bounded(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const [first] = diagnostics;
  const rest = diagnostics.length - NAMED;
  if (first === undefined || rest <= 0) return [...diagnostics];
  return [...diagnostics.slice(0, NAMED), diagnostic(first.severity, first.code, `and ${rest} more`)];
}
