import { bulletList, commitText, count, unknownLine } from "./derive-text.ts";
import { TALLIED } from "./work-facts.ts";
import type { WorkFacts } from "./work-facts.ts";

const SHOWN_COMMITS = 8;

/**
 * The body of a checkpoint that nobody wrote (records.md 9.2): where the work stands, its newest commits, what
 * blocks it. The same facts give the same text; it never has more lines than a checkpoint may have.
 */
export function deriveCheckpoint(facts: WorkFacts): string {
  const tree = `working tree ${facts.workingTree}`;
  const opening = `At ${facts.head.slice(0, 7)} on ${facts.branch}, ${tree}; ${changedText(facts)}.`;
  const blocked =
    facts.questions.length === 0
      ? []
      : [`${facts.questions.length} open question(s) block acceptance of completed work.`];
  const { task, questions } = facts.doubts;
  const unknown = [task, questions].filter((doubt) => doubt !== undefined).map(unknownLine);
  const closing = "Derived, not authored: from git and the ledger alone.";
  const room = facts.limits.checkpointLines - blocked.length - unknown.length - 2;
  return `${[opening, ...commitLines(facts, room), ...blocked, ...unknown, closing].join("\n")}\n`;
}

/** How many files changed, and since when; where that is unknown, how many the working tree alone shows. */
export function changedText({ changedFiles, since, doubts }: WorkFacts): string {
  const changed = `${changedFiles.length} file(s) changed`;
  if (since === undefined) return changed;
  if (doubts.committed === undefined) return `${changed} since ${since.what}`;
  return `${changed} in the working tree, and it is unknown what was committed since ${since.what}`;
}

function commitLines({ commits }: WorkFacts, room: number): string[] {
  if (commits.state !== "ok") return room < 1 ? [] : [`Commits cannot be listed: ${commits.reason}.`];
  const newest = commits.commits.toReversed().map(commitText);
  const fits = Math.min(SHOWN_COMMITS, newest.length <= room ? room : room - 1);
  if (newest.length === 0) return [];
  return fits < 1 ? [] : bulletList(newest, fits, "commit(s)").slice(0, Math.max(room, 0));
}

/** What the lines are of that a derived body counts. */
function whereRecorded({ episode, task, branch }: WorkFacts): string {
  if (episode !== undefined) return "in this episode";
  return task === undefined ? `outside any task on ${branch}` : "in this task";
}

/** How one line tallies what an episode or a task has recorded, or what was recorded outside both. */
export function tallyLine(facts: WorkFacts): string {
  const parts = [...TALLIED].map(([name, noun]) =>
    count(facts.lines.filter(({ event }) => event === name).length, noun),
  );
  return `Recorded ${whereRecorded(facts)}: ${parts.join(", ")}.`;
}
