import type { TaskView } from "../../core/lifecycle/answers.ts";
import { WrittenAnswer } from "../../core/task/answers.ts";
import type { Values } from "../form.ts";
import type { Fact } from "../model/facts.ts";
import { counted, shortHead } from "../model/names.ts";
import { grouped } from "../model/numbers.ts";
import type { Terms } from "../model/terms.ts";
import type { Act, Proposal } from "../proposal.ts";
import { written } from "./written.ts";

/** Where a record would be written, and what it would be about. */
export interface Place {
  root: string;
  /** The checkout's state, relative to the repository where it lies in it. */
  directory: string;
  branch: string;
  head: string | undefined;
  task: TaskView | undefined;
  /** False until it was told whether there is a task. */
  taskKnown: boolean;
  /** Why it is unknown whether there is a task: nothing may then be filed as if there were none. */
  taskDoubt: string | undefined;
  terms: Terms;
}

/** What is said where there is no task to name. */
export function noTaskFact({ taskKnown, taskDoubt }: Place): Fact {
  if (taskDoubt !== undefined) return { label: "task", text: `unknown: ${taskDoubt}`, tone: "bad" };
  return taskKnown
    ? { label: "task", text: "none: it is about this branch alone", tone: "muted" }
    : { label: "task", text: "not known yet: the checkout is still being asked", tone: "warn" };
}

function linesOf(body: string): number {
  return body.trimEnd().split("\n").length;
}

function nameOf({ branch, head }: Place): string {
  const at = head === undefined ? "" : `--${shortHead(head)}`;
  return `<time>--${branch.replaceAll("/", "-")}${at}--<random>.md`;
}

function taskFacts(place: Place, closes: boolean): Fact[] {
  const { task } = place;
  if (task === undefined) return [noTaskFact(place)];
  const moves = task.outcome === "active" ? "its checkpoint time moves" : `it is ${task.outcome}`;
  return [
    { label: "task", text: task.title },
    {
      label: "",
      text: closes ? "it becomes handed_over" : moves,
      ...(closes ? { tone: "warn" as const } : {}),
    },
  ];
}

function bodyFacts(body: string, derived: boolean): Fact[] {
  const size = `${counted(linesOf(body), "line")}, ${grouped(body.length)} characters`;
  const from = derived ? ", composed from git and the ledger" : "";
  return [{ label: "text", text: `${size}${from}` }, { text: "" }, { text: body.trimEnd() }];
}

function reportWritten(what: string): Act["outcome"] {
  return written(WrittenAnswer, ({ path, moved, closed, notes }) => {
    const wrote = path === undefined ? `no ${what}: the text was empty` : `wrote ${path}`;
    const rest = [
      closed === true ? "the task is handed over" : moved ? "the task's checkpoint time moved" : "",
      ...notes,
    ];
    const text = [wrote, ...rest].filter((part) => part !== "").join("; ");
    return { tone: notes.length > 0 ? "warn" : "good", text };
  });
}

/** What a checkpoint asks for where git and the ledger compose it. */
export const DERIVED_CHECKPOINT = { derive: true } as const;

/**
 * A checkpoint as it would be written; a text says why it cannot be.
 *
 * @param derived the text that git and the ledger gave, in place of a written one.
 */
export function checkpointProposal(place: Place, { body = "" }: Values, derived?: string): Proposal | string {
  const empty = derived === undefined && body.trim() === "";
  const most = place.terms.checkpointLines;
  if (derived === undefined && most !== undefined && linesOf(body) > most) {
    return `a checkpoint has at most ${most} lines, this one has ${linesOf(body)}; write a handover instead`;
  }
  if (empty && place.task?.outcome !== "active") return "nothing to store: no text, and no active task";
  const writes = `${place.directory}/checkpoints/${nameOf(place)}`;
  return {
    title: "Write this checkpoint?",
    root: place.root,
    verb: "write it",
    says: [
      { label: "writes", text: empty ? "no file: the text is empty" : writes, tone: "accent" },
      { label: "", text: "task.checkpoint in the ledger", tone: "accent" },
      ...taskFacts(place, false),
      ...(empty ? [] : bodyFacts(derived ?? body, derived !== undefined)),
    ],
    acts: [
      {
        what: "writing the checkpoint",
        capability: "checkpoint.write",
        input: derived === undefined ? { body } : DERIVED_CHECKPOINT,
        outcome: reportWritten("file"),
      },
    ],
  };
}

/** The sections of a body that have nothing under them, of those that are wanted. */
function unfilled(body: string, sections: readonly string[]): string[] {
  const lines = body.split("\n");
  return sections.filter((name) => {
    const at = lines.findIndex((line) => line.trimEnd() === `# ${name}`);
    const rest = lines.slice(at + 1);
    const end = rest.findIndex((line) => line.startsWith("# "));
    return at < 0 || (end < 0 ? rest : rest.slice(0, end)).every((line) => line.trim() === "");
  });
}

function handoverInput(place: Place, task: string | undefined): Record<string, unknown> {
  // A task that ended while the form was open is shown as none, and there is none to close.
  if (place.task === undefined && place.taskDoubt === undefined) return { no_task: true };
  return task === "close" ? { close: true } : {};
}

/** What a handover asks for where git and the ledger compose it. */
export function derivedHandoverInput(place: Place, { task }: Values): Record<string, unknown> {
  return { derive: true, ...handoverInput(place, task) };
}

/**
 * A handover as it would be written; a text says why it cannot be.
 *
 * @param derived the text that git and the ledger gave, in place of a written one.
 */
export function handoverProposal(place: Place, values: Values, derived?: string): Proposal | string {
  const { body = "", task } = values;
  const empty = unfilled(body, place.terms.sections);
  if (derived === undefined && body.trim() === "") return "a handover needs a text";
  if (derived === undefined && empty.length > 0)
    return `still empty: ${empty.map((name) => `# ${name}`).join(", ")}`;
  return {
    title: "Write this handover?",
    root: place.root,
    verb: "write it",
    says: [
      { label: "writes", text: `${place.directory}/handovers/${nameOf(place)}`, tone: "accent" },
      { label: "", text: "task.handed_over in the ledger", tone: "accent" },
      ...taskFacts(place, task === "close"),
      ...bodyFacts(derived ?? body, derived !== undefined),
    ],
    acts: [
      {
        what: "writing the handover",
        capability: "handover.write",
        input:
          derived === undefined
            ? { body, ...handoverInput(place, task) }
            : derivedHandoverInput(place, values),
        outcome: reportWritten("handover"),
      },
    ],
  };
}
