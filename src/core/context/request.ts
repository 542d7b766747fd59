import type { Checkout } from "../checkout/checkout.ts";
import type { Moment } from "../git/moment.ts";
import type { RecordShelf } from "../ledger/record-shelf.ts";
import type { Profile } from "../policy/profile.ts";
import type { PeerView } from "../serving/peer-board.ts";
import { clip, inert } from "../text/inert.ts";
import type { Exclusion, Section } from "./document.ts";
import type { KnownTask } from "./working-task.ts";

export interface ContextRequest {
  moment: Moment;
  shelf: RecordShelf;
  /** The profile of the task, or the default one; undefined where it cannot be read. */
  profile: Profile | undefined;
  /** The commit and branch at which the briefing of the open episode was frozen; absent while it is being frozen. */
  frozen?: { head: string; branch: string };
  /** Other workers of this checkout who announced something. */
  peers?: readonly PeerView[];
  /** Lines; the policy's `context.builder_budget_lines` when absent. */
  budgetLines?: number;
  /** For whom: one more line at the top, and nothing else. */
  provider?: string;
  /** A rendered prompt, or why it could not be added. */
  prompt?: { name: string; text: string } | { name: string; refused: string };
}

/** What every section is made from. */
export interface ContextSources extends ContextRequest, KnownTask {
  checkout: Checkout;
  excluded: Exclusion[];
}

/** The sections that give way, in this order (records.md 11). */
export const DROP_RANK = {
  history: 1,
  files: 2,
  documents: 3,
  reasoning: 4,
  decisions: 5,
  checkpoint: 6,
  handover: 7,
  peers: 8,
} as const;

const LABEL_WIDTH = 13;
const LINE_CHARACTERS = 400;

/** A value from disk as one bounded physical line. */
export function safe(text: string): string {
  return clip(inert(text), LINE_CHARACTERS);
}

/** A value under its label. */
export function row(label: string, value: string): string {
  return `${label.padEnd(LABEL_WIDTH)}${safe(value)}`;
}

/** A line of a record, indented so that it can pose as no heading of ours. */
export function quotedLine(text: string): string {
  return `  ${safe(text)}`.trimEnd();
}

/** A section, or none where it has nothing to say. */
export function sectionUnlessEmpty(section: Section): Section[] {
  return section.lines.length === 0 ? [] : [section];
}
