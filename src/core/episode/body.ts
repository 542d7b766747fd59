import type { CommitRange } from "../git/commits.ts";
import { authoredLine } from "../text/authored.ts";

/** What a composed body is made of; every line of it is known to git or the ledger (records.md 9.3). */
export interface BodyFacts {
  branch: string;
  head: string;
  startHead: string;
  workingTree: string;
  outcome: "closed" | "interrupted";
  commits: CommitRange;
  /** How many files changed since the episode opened; undefined where git did not answer. */
  changedFiles: number | undefined;
  issues: readonly string[];
  /** The text of each checkpoint of the episode, oldest first. */
  checkpoints: readonly string[];
  decisions: readonly string[];
  openQuestions: readonly string[];
  /** Why there may be more of them, in one clause. */
  questionsDoubt: string | undefined;
  task?: { id: string; outcome: string };
  /** Why it is unknown whether there was a task, in one clause. */
  taskDoubt: string | undefined;
}

const CHECKPOINT_LINES = 12;

function list(values: readonly string[], maximum: number, noun: string): string[] {
  const rest = values.length - maximum;
  const shown = values.slice(0, maximum).map((value) => `- ${value}`);
  return rest > 0 ? [...shown, `- ... and ${rest} more ${noun}`] : shown;
}

function whatHappened(facts: BodyFacts, maximum: number): string[] {
  const range = `${facts.startHead.slice(0, 7)}..${facts.head.slice(0, 7)}`;
  const lines: string[] = [];
  if (facts.commits.state !== "ok") {
    lines.push(`The history from ${range} cannot be listed: ${facts.commits.reason}.`);
  } else if (facts.commits.commits.length === 0) {
    lines.push(`No commit on ${facts.branch} while the episode was open.`);
  } else {
    const commits = facts.commits.commits.map(({ short, subject }) => `${short} ${subject}`);
    lines.push(
      `${commits.length} commit(s) on ${facts.branch}, ${range}:`,
      "",
      ...list(commits, maximum, "commit(s)"),
    );
  }
  if (facts.changedFiles !== undefined) {
    lines.push("", `${facts.changedFiles} file(s) changed since the episode opened.`);
  }
  if (facts.issues.length > 0) lines.push("", `Issues in this episode: ${facts.issues.join(", ")}.`);
  return lines;
}

function progressNotes(facts: BodyFacts, maximum: number): string[] {
  if (facts.checkpoints.length === 0) return ["The episode recorded no checkpoint."];
  const notes = facts.checkpoints.slice(0, maximum).flatMap((text) => {
    const [first = "", ...rest] = text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .slice(0, CHECKPOINT_LINES);
    return [`- ${first.trim()}`, ...rest.map((line) => `  ${line.trim()}`)];
  });
  const left = facts.checkpoints.length - maximum;
  return left > 0 ? [...notes, `- ... and ${left} more checkpoint(s)`] : notes;
}

function outcomeLines(facts: BodyFacts): string[] {
  const sentence =
    facts.outcome === "closed"
      ? "The episode came to its end and was closed."
      : "The episode was interrupted: it ended for another reason than being finished.";
  const lines = [
    sentence,
    `At the close: on ${facts.branch} at ${facts.head.slice(0, 7)}, working tree ${facts.workingTree}.`,
  ];
  if (facts.task !== undefined) lines.push(`Task ${facts.task.id} was ${facts.task.outcome}.`);
  if (facts.taskDoubt !== undefined) lines.push(unknownLine(facts.taskDoubt));
  if (facts.openQuestions.length > 0)
    lines.push(`${facts.openQuestions.length} open question(s) block completion.`);
  return lines;
}

/** What is not known is said, since "none" would be a claim (promise 49). */
function unknownLine(doubt: string): string {
  return `Unknown: ${authoredLine(doubt)}.`;
}

function questionLines({ openQuestions, questionsDoubt }: BodyFacts, maximum: number): string[] {
  const asked = list(openQuestions, maximum, "question(s)");
  if (questionsDoubt === undefined) return asked.length === 0 ? ["None."] : asked;
  return [...asked, ...(asked.length === 0 ? [] : [""]), unknownLine(questionsDoubt)];
}

type SectionWriter = (facts: BodyFacts, maximum: number) => string[];

const WRITERS: ReadonlyMap<string, SectionWriter> = new Map<string, SectionWriter>([
  ["What Happened", whatHappened],
  ["Progress Notes", progressNotes],
  [
    "Decisions",
    (facts, maximum) =>
      facts.decisions.length === 0
        ? ["The episode recorded no decision."]
        : list(facts.decisions, maximum, "decision(s)"),
  ],
  ["Open Questions", questionLines],
  ["Outcome", outcomeLines],
]);

/**
 * Composes a closed record's body where nobody wrote one: the policy's sections in their order, from git and
 * the ledger alone, and a last paragraph that says so. A section that has no writer says that.
 */
export function composeBody(facts: BodyFacts, sections: readonly string[], maximumItems: number): string {
  const blocks = sections.map((name) => {
    const lines = WRITERS.get(name)?.(facts, maximumItems) ?? ["Nothing derives this section."];
    return `# ${name}\n\n${lines.join("\n")}\n`;
  });
  const provenance = "Composed by `majordomus session close` from git and the ledger; no model wrote it.";
  return `${blocks.join("\n")}\n---\n\n${provenance}\n`;
}
