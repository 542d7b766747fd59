import { EXIT, MajordomusError } from "../base/error.ts";
import { textField } from "../ledger/line.ts";
import { DERIVED_SECTIONS } from "../records/body-sections.ts";
import type { DerivedSection } from "../records/body-sections.ts";
import { authoredLine } from "../text/authored.ts";
import { bodyLine, bulletList, commitText, unknownLine } from "./derive-text.ts";
import { changedText, tallyLine } from "./derive-checkpoint.ts";
import type { WorkFacts } from "./work-facts.ts";

type SectionWriter = (facts: WorkFacts) => string[];

const OF_EPISODE = "This handover is of no task: it passes on the episode's work.";
const OF_NOBODY =
  "This handover is of no task: it passes on what stands here, and what was recorded outside any task.";

function issuesOf({ lines }: WorkFacts): string[] {
  const issues = new Set(
    lines
      .filter(({ event }) => event.startsWith("plan_"))
      .map((line) => textField(line, "issue"))
      .filter((issue) => issue !== undefined),
  );
  return [...issues];
}

function objective(facts: WorkFacts): string[] {
  const { task, lost } = facts;
  const issues = issuesOf(facts);
  const lines = issues.length === 0 ? [] : [`Issues in this episode: ${issues.join(", ")}.`];
  if (lost !== undefined) {
    const tasks = lost.tasks.length === 0 ? "no task" : `task ${lost.tasks.join(", ")}`;
    return [`Go on with what an episode with ${tasks} did in a worktree that is gone.`, ...lines];
  }
  if (task === undefined && facts.doubts.task !== undefined) {
    return [unknownLine(facts.doubts.task), "This handover passes on the episode's work.", ...lines];
  }
  if (task === undefined) return [facts.episode === undefined ? OF_NOBODY : OF_EPISODE, ...lines];
  const ended = !["active", "handed_over"].includes(task.outcome);
  return [
    ...(ended ? [`No task is active. The last one, ${task.id}, ended ${task.outcome}:`] : []),
    bodyLine(task.task, "Task:"),
    `Profile ${task.profile === "" ? "none" : task.profile}. Declared scope: ${task.scope.join(", ") || "none"}.`,
    ...lines,
  ];
}

function movedLines({ since, moved, head, commits }: WorkFacts): string[] {
  if (since === undefined || since.head === head) return [];
  const way = `When ${since.what} HEAD was ${since.head.slice(0, 7)}; it has moved (${moved.divergence}).`;
  return commits.state === "ok" ? [`${way} ${commits.commits.length} commit(s) since.`] : [way];
}

function quotedCheckpoint({ checkpoint, limits, doubts }: WorkFacts): string[] {
  const untold = doubts.checkpoint === undefined ? [] : ["", unknownLine(doubts.checkpoint)];
  if (checkpoint === undefined || checkpoint === "") return untold;
  const lines = checkpoint.split(/\r?\n/);
  const rest = lines.length - limits.checkpointLines;
  return [
    ...untold,
    "",
    untold.length === 0 ? "Newest checkpoint:" : "Newest checkpoint that can be read:",
    "",
    ...lines.slice(0, limits.checkpointLines).map((line) => `> ${line}`.trimEnd()),
    ...(rest > 0 ? [`> ... and ${rest} more line(s)`] : []),
  ];
}

function lostState({ branch, head, lost }: WorkFacts): string[] {
  return [
    `On ${branch} at ${head.slice(0, 7)}, as far as git still has it.`,
    bodyLine(
      `The worktree ${lost?.worktree ?? ""} is gone: uncommitted files and its own state went with it.`,
      "-",
    ),
  ];
}

function currentState(facts: WorkFacts): string[] {
  const { changedFiles, commits, limits, lost } = facts;
  const newest = commits.state === "ok" ? commits.commits.toReversed().map(commitText) : [];
  if (lost !== undefined) {
    const listed = newest.length === 0 ? [] : ["", ...bulletList(newest, limits.items, "commit(s)")];
    return [...lostState(facts), ...listed, "", tallyLine(facts), ...quotedCheckpoint(facts)];
  }
  const changed = changedText(facts);
  return [
    `On ${facts.branch} at ${facts.head.slice(0, 7)}, working tree ${facts.workingTree}.`,
    ...movedLines(facts),
    ...(newest.length === 0 ? [] : ["", ...bulletList(newest, limits.items, "commit(s)")]),
    "",
    ...(changedFiles.length === 0
      ? [`${changed}.`]
      : [`${changed}:`, "", ...bulletList(changedFiles, limits.items, "file(s)")]),
    "",
    tallyLine(facts),
    ...quotedCheckpoint(facts),
  ];
}

function nextAction(facts: WorkFacts): string[] {
  const { questions, limits, doubts } = facts;
  const issues = issuesOf(facts);
  const checkpointed = facts.lines.some(({ event }) => event === "task.checkpoint");
  const unsure = [doubts.task, doubts.questions].filter((doubt) => doubt !== undefined);
  const first =
    questions.length === 0
      ? ["Run `majordomus context`, then `majordomus check`, and go on from what they show."]
      : [
          "Answer the open questions first: they block a completed finish.",
          "",
          ...bulletList(
            questions.map(({ question }) => question),
            limits.items,
            "question(s)",
          ),
        ];
  return [
    ...(unsure.length === 0
      ? []
      : [...unsure.map((doubt) => `Put it right first: ${authoredLine(doubt)}.`), ""]),
    ...first,
    ...(checkpointed
      ? []
      : ["", "Nothing was checkpointed: read the commits and the diff before relying on this."]),
    ...(issues.length === 0 ? [] : ["", `Then go on with ${issues.join(", ")}.`]),
  ];
}

function decisions({ decisions: all, limits, doubts }: WorkFacts): string[] {
  if (doubts.decisions !== undefined) return [unknownLine(doubts.decisions)];
  const newest = all.slice(Math.max(0, all.length - limits.decisions));
  if (all.length === 0) return ["None recorded."];
  const older = all.length - newest.length;
  const shown = bulletList(
    newest.map(({ heading }) => heading),
    newest.length,
    "decision(s)",
  );
  return older > 0 ? [...shown, `- ... and ${older} more decision(s)`] : shown;
}

function openQuestions({ questions, limits, doubts }: WorkFacts): string[] {
  const asked = bulletList(
    questions.map(({ question, task, date }) => `${question} (${task}, ${date})`),
    limits.items,
    "question(s)",
  );
  const known = asked.length === 0 && doubts.questions === undefined ? ["None open."] : asked;
  if (doubts.questions === undefined) return known;
  return [...known, ...(known.length === 0 ? [] : [""]), unknownLine(doubts.questions)];
}

function verification({ finished, task }: WorkFacts): string[] {
  const verify = finished?.fields.get("verify");
  if (finished === undefined || task === undefined) return ["Not run by this record."];
  const outcome = `Task ${task.id} finished ${textField(finished, "outcome") ?? "unknown"} at ${finished.ts}.`;
  if (typeof verify !== "object" || verify === null || Array.isArray(verify)) {
    return [outcome, "No verification command ran."];
  }
  const { command, exit } = verify;
  const ran = typeof command === "string" ? authoredLine(command) : "an unknown command";
  const status = typeof exit === "number" ? String(exit) : "unknown";
  return [outcome, `It ran \`${ran}\` with exit status ${status}.`];
}

const WRITERS: Readonly<Record<DerivedSection, SectionWriter>> = {
  Objective: objective,
  "Current State": currentState,
  "Next Action": nextAction,
  Decisions: decisions,
  "Open Questions": openQuestions,
  Verification: verification,
};
const OPTIONAL = ["Decisions", "Open Questions", "Verification"];

/**
 * The body of a handover that nobody wrote (records.md 9.1): the policy's sections in their order, then the
 * optional ones. The same facts give the same text.
 *
 * @throws MajordomusError 10 naming a required section that nothing can derive.
 */
export function deriveHandover(facts: WorkFacts, required: readonly string[]): string {
  const names = [...required, ...OPTIONAL.filter((name) => !required.includes(name))];
  const blocks = names.map((name) => {
    const known = DERIVED_SECTIONS.find((section) => section === name);
    const write = known && WRITERS[known];
    if (write !== undefined) return `# ${name}\n\n${write(facts).join("\n")}\n`;
    throw new MajordomusError({
      code: "handover.underivable",
      exit: EXIT.finding,
      subject: name,
      message: "is a required section that nothing derives",
      remedy: "write the handover by hand, or take the section out of handover.required_sections",
    });
  });
  const provenance =
    "Derived by `majordomus handover --derive` from git, the ledger and the stores; no model wrote it.";
  return `${blocks.join("\n")}\n---\n\n${provenance}\n`;
}
