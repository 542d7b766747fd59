import type { SliceName } from "./questions.ts";
import { SLICE_NAMES } from "./slices.ts";

/** What is read from open files, closed records and the ledger. */
const EPISODES: readonly SliceName[] = [
  "state",
  "episodes",
  "recovery",
  "plan",
  "history",
  "closed",
  "lines",
  "found",
];
const TRAVELLING: readonly SliceName[] = ["sync", "travelling", "resumePlan"];
/** What carries a label against HEAD, or tells changed files. */
const LABELLED: readonly SliceName[] = [
  "state",
  "closed",
  "handover",
  "checkpoint",
  "contract",
  "told",
  "check",
  "runtime",
  "hints",
  "server",
  // A plan is about the commit and the changes that are here.
  ...TRAVELLING,
];
/** What awaits review, by the records and by the ledger that says whose they are. */
const KNOWLEDGE: readonly SliceName[] = ["candidates", "candidate"];
const CAPSULES: readonly SliceName[] = ["capsules", "selection", "capsule", "procedure"];
/** What judges all the stores. */
const JUDGED: readonly SliceName[] = ["doctor", "watch"];
/** What is read from the records of work. */
const RECORDS: readonly SliceName[] = ["state", "handover", "checkpoint", "told"];

/** Which slices a changed path makes old; the first row that matches counts. */
const AFFECTED: readonly { path: RegExp; slices: readonly SliceName[] }[] = [
  // They come and go around every act; what the act itself changes is another file.
  { path: /(\.lock|[\\/]\.tmp\.[^\\/]*)$/, slices: [] },
  {
    path: /^(worktree|process) /,
    slices: ["episodes", "recovery", "plan", "state", "server", "peers", ...JUDGED],
  },
  { path: /[\\/]\.?claude[^\\/]*[\\/]settings(\.local)?\.json$/, slices: [...JUDGED, "check", "providers"] },
  { path: /[\\/]capsules([\\/][^\\/]*)?$/, slices: [...CAPSULES, ...JUDGED] },
  // The header says what waits here, by the notes and by what is hidden.
  {
    path: /[\\/]majordomus[\\/](remotes[\\/]|continuity)/,
    slices: [...TRAVELLING, "state", "told", "doctor"],
  },
  { path: /[\\/]continuity\.json$/, slices: [...TRAVELLING, "state", "told", "doctor"] },
  // A server touches its lease when its board has changed, too; a session is told where it stands.
  { path: /[\\/]mcp([\\/][^\\/]*)?$/, slices: ["server", "peers", "told"] },
  // git's own names; an index or a HEAD says nothing about episodes.
  { path: /[\\/](HEAD|index|packed-refs|ORIG_HEAD)$/, slices: LABELLED },
  { path: /[\\/]refs[\\/]/, slices: LABELLED },
  { path: /[\\/]\.git[\\/](?!majordomus|worktrees)/, slices: LABELLED },
  // A heartbeat is the most frequent change of all, and says nothing about the work.
  { path: /[\\/]majordomus[\\/](episodes|events)[\\/][^\\/]*$/, slices: [...EPISODES, "providers"] },
  // Records are in the order of the ledger.
  { path: /ledger\.jsonl$/, slices: [...EPISODES, ...RECORDS.slice(1), ...JUDGED, ...KNOWLEDGE, "check"] },
  {
    path: /[\\/]open-questions\.md$/,
    slices: ["questions", "state", "contract", "told", "check", ...JUDGED],
  },
  { path: /[\\/]decisions\.md$/, slices: ["decisions", "contract", "told", "check", ...JUDGED] },
  {
    path: /[\\/]current\.yaml$/,
    slices: ["state", "handover", "checkpoint", "terms", "contract", "told", "check", ...JUDGED],
  },
  {
    path: /[\\/](candidates|curated)([\\/][^\\/]*)?$/,
    slices: [...KNOWLEDGE, "told", ...JUDGED],
  },
  { path: /[\\/](handovers|checkpoints)([\\/][^\\/]*)?$/, slices: [...RECORDS, ...JUDGED] },
];

/** The slices that depend on a path; all of them, when nothing more is known about it. */
export function affectedBy(path: string): readonly SliceName[] {
  return AFFECTED.find((rule) => rule.path.test(path))?.slices ?? SLICE_NAMES;
}
