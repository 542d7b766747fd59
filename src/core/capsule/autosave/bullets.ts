import { flatten } from "../quote.ts";
import type { Section } from "../framing.ts";
import type { Delta, Moment } from "./delta.ts";

/** Lines of the sections of a capsule, the newest first. */
export type SectionBullets = Partial<Record<Section["name"], string[]>>;

/** What a stretch changes in the sections of a capsule. */
export interface SectionChanges {
  /** Lines that say the same however often they come. */
  bullets: SectionBullets;
  /** Lines of which each tells that something happened: one that stands there already is counted. */
  events: SectionBullets;
  /** Lines that are no longer true. */
  untrue: SectionBullets;
  /** What the bounds of the stretch left out, to be counted. */
  left: Partial<Record<Section["name"], number>>;
  /** The stretch is of a conversation that was taken before, so that nothing is counted twice. */
  again: boolean;
}

/** Nothing to change. */
export const NO_CHANGES: Readonly<SectionChanges> = {
  bullets: {},
  events: {},
  untrue: {},
  left: {},
  again: false,
};

/** `HH:MM` of a moment in UTC, as the banner of every capsule says. */
function timeOf(at: number | undefined, now: number): string {
  return new Date(at ?? now).toISOString().slice(11, 16);
}

/** Text that cannot be taken for an anchor, wherever it comes to stand. */
export function neutral(text: string): string {
  return flatten(text).replaceAll("<!--", "<!\\--");
}

const ROW_NOTE = " (re-verify before relying on it)";

/** The task id of a line in Claimed-Rows; undefined for a line that is none of ours. */
export function claimIn(bullet: string): string | undefined {
  return bullet.startsWith("- ") && bullet.endsWith(ROW_NOTE) ? bullet.slice(2, -ROW_NOTE.length) : undefined;
}

const claimLine = (claim: string): string => `- ${neutral(claim)}${ROW_NOTE}`;

/**
 * The lines that a stretch adds to the sections (capsules.md 7.4). Times are those of the rows, so that the same words
 * at another time are another line, and a stretch that is read twice adds nothing.
 *
 * @param now milliseconds since the epoch, for rows without a time.
 */
export function changesOf(delta: Delta, now: number): SectionChanges {
  const timed = ({ text, at }: Moment): string => `- ${timeOf(at, now)} ${neutral(text)}`;
  const { dropped, lastAssistant } = delta;
  return {
    bullets: {
      done: lastAssistant === undefined ? [] : [timed(lastAssistant)],
      files: [
        ...delta.modified.map((path) => `- MODIFIED ${neutral(path)}`),
        ...delta.read.map((path) => `- read ${neutral(path)}`),
      ],
      rows: delta.claims.map(claimLine),
    },
    events: {
      done: delta.utterances.map(timed).toReversed(),
      errors: delta.errors.map((moment) => `${timed(moment)} (unresolved when captured)`).toReversed(),
    },
    untrue: { rows: delta.retracted.map(claimLine) },
    left: { done: dropped.utterances, errors: dropped.errors, files: dropped.files, rows: dropped.claims },
    again: delta.again,
  };
}
