import { clipBytes } from "../text/clip-bytes.ts";
import { inert } from "../text/inert.ts";

/** How many bytes each kind of value may take. */
export interface Width {
  /** A branch, a profile. */
  name: number;
  /** A task's text, its scope, a reason. */
  value: number;
  /** A line of a blocker or of a next action. */
  line: number;
}

/** For a briefing with room. */
export const GENEROUS: Width = { name: 120, value: 300, line: 240 };
/** For one whose blockers and next action would else not stand in the first bytes. */
export const TIGHT: Width = { name: 60, value: 110, line: 78 };

/** A value from a record as one safe physical line, indented so that it reads as a quotation (decisions.md 1.10). */
export function quote(text: string, bytes: number): string {
  return `  ${clipBytes(inert(text), bytes)}`.trimEnd();
}
