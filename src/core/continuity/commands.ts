import { shellWord } from "../text/shell-word.ts";
import type { TravellingTask } from "./record.ts";

/** What a person could run next. Its values come from other machines: it is printed, and never run by us. */
export interface Recommendation {
  command: string;
  reason: string;
}

/** As many digits of an id as people are shown. */
const SHOWN_DIGITS = 12;

function recommend(reason: string, ...words: readonly string[]): Recommendation {
  return { command: words.join(" "), reason };
}

export const RECOMMEND = {
  sync: (): Recommendation => recommend("exchanges records with the remote", "majordomus continuity sync"),
  planRecord: (id: string, whose: string): Recommendation =>
    recommend(
      `says what resuming the one from ${whose} would do`,
      "majordomus continuity plan --record",
      id.slice(0, SHOWN_DIGITS),
    ),
  resume: (id: string): Recommendation =>
    recommend(
      "writes the handover and its decisions into this checkout",
      "majordomus continuity resume --record",
      id.slice(0, SHOWN_DIGITS),
    ),
  show: (id: string): Recommendation =>
    recommend(
      "shows whose key it is; a key that is meant goes into trust.allow, committed to the trunk",
      "majordomus continuity show",
      id.slice(0, SHOWN_DIGITS),
    ),
  pull: (remote: string, branch: string): Recommendation =>
    recommend(
      "brings this branch to the recorded commit",
      "git pull --ff-only",
      shellWord(remote),
      shellWord(branch),
    ),
  fetch: (remote: string): Recommendation =>
    recommend("brings the recorded commit into this clone", "git fetch", shellWord(remote)),
  switchTo: (branch: string): Recommendation =>
    recommend("goes to the branch that the record is of", "git switch", shellWord(branch)),
  merge: (commit: string): Recommendation =>
    recommend("brings the recorded commit and this branch together", "git merge", shellWord(commit)),
  start: ({ title, scope = [], profile }: TravellingTask): Recommendation => {
    const words = [`'${title.replaceAll("'", `'\\''`)}'`];
    const options = [
      ...(scope.length === 0 ? [] : ["--scope", shellWord(scope.join(","))]),
      ...(profile === undefined ? [] : ["--profile", shellWord(profile)]),
    ];
    // A title that begins like an option would be taken for one.
    const ordered = title.startsWith("-") ? [...options, "--", ...words] : [...words, ...options];
    return recommend("begins the task that travelled with it", "majordomus start", ...ordered);
  },
} as const;
