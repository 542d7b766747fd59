import { flatten } from "../quote.ts";
import type { Section } from "../framing.ts";
import type { Delta, Moment } from "./delta.ts";

/** New lines for the sections of a capsule, the newest first. */
export type SectionBullets = Partial<Record<Section["name"], string[]>>;

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

/** What the bounds of one stretch left out, as a line of its own. */
function left(count: number, what: string): string[] {
  return count === 0 ? [] : [`- (${count} more ${what} in this stretch, not kept)`];
}

/**
 * The lines that a stretch adds to the sections (capsules.md 7.4). Times are those of the rows, so that the same words
 * at another time are another line, and a stretch that is read twice adds nothing.
 *
 * @param now milliseconds since the epoch, for rows without a time.
 */
export function bulletsOf(delta: Delta, now: number): SectionBullets {
  const timed = ({ text, at }: Moment): string => `- ${timeOf(at, now)} ${neutral(text)}`;
  const { dropped, lastAssistant } = delta;
  return {
    done: [
      ...(lastAssistant === undefined ? [] : [timed(lastAssistant)]),
      ...delta.utterances.map(timed).toReversed(),
      ...left(dropped.utterances, "utterances"),
    ],
    errors: [
      ...delta.errors.map((moment) => `${timed(moment)} (unresolved when captured)`).toReversed(),
      ...left(dropped.errors, "errors"),
    ],
    files: [
      ...delta.modified.map((path) => `- MODIFIED ${neutral(path)}`),
      ...delta.read.map((path) => `- read ${neutral(path)}`),
      ...left(dropped.files, "files"),
    ],
    rows: [
      ...delta.claims.map((claim) => `- ${neutral(claim)}${ROW_NOTE}`),
      ...left(dropped.claims, "claims"),
    ],
  };
}
