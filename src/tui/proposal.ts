import type { Fact } from "./model/facts.ts";
import type { Message } from "./message.ts";
import type { Reading } from "./reading.ts";

/** What became of an act: a line that says so, with a text to read where it made one; or something else to decide first. */
export type Outcome = (Message & { made?: Reading }) | { again: Proposal };

/** A question to a capability that writes. */
export interface Act {
  /** What is said while it runs. */
  what: string;
  capability: string;
  input: unknown;
  /** Reads the answer. */
  outcome: (answer: unknown) => Outcome;
}

/** What would be written, shown before it is. */
export interface Proposal {
  title: string;
  root: string;
  says: readonly Fact[];
  /** What Enter does, as the footer names it. */
  verb: string;
  /** One after the other; none where there is only something to read. */
  acts: readonly Act[];
  /**
   * Looks again before anything is done: another proposal when things are not as they were shown, undefined
   * when that cannot be told.
   */
  still?: () => Promise<{ asShown: true } | { instead: Proposal } | undefined>;
}
