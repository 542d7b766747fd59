import type { FinishAnswer as Answered } from "../../core/health/answers.ts";
import { FinishAnswer, FinishOutcome } from "../../core/health/answers.ts";
import type { TaskView } from "../../core/lifecycle/answers.ts";
import type { Desk } from "../desk.ts";
import type { Form, Option } from "../form.ts";
import type { Fact } from "../model/facts.ts";
import { LEVEL_TONE } from "../model/labels.ts";
import { counted } from "../model/names.ts";
import type { Terms } from "../model/terms.ts";
import { rootHere, slicesHere, taskHere } from "../model/work-here.ts";
import type { Outcome, Proposal } from "../proposal.ts";
import { openForm } from "./form-keys.ts";
import { withTerms } from "./load-terms.ts";
import { written } from "./written.ts";

const MEANINGS: Readonly<Record<FinishOutcome, string>> = {
  completed: "done; every clause of the contract is judged",
  partial: "a part is done; the note says what is next",
  blocked: "something outside has to happen first; the note says what is next",
  no_match: "the task did not fit what was found; the note says why",
  failed: "it could not be done; the note says why",
};

function outcomes(): readonly [Option, ...Option[]] {
  const [first, ...others] = FinishOutcome.options.map((value) => ({ value, says: MEANINGS[value] }));
  return [first ?? { value: "completed", says: "" }, ...others];
}

function clauseFacts(findings: Answered["findings"]): Fact[] {
  return findings.map(({ level, category, message }) => ({
    label: level,
    text: `${category}: ${message}`,
    tone: LEVEL_TONE[level],
  }));
}

/** What became of a finish: one that was refused shows each clause, and nothing was written. */
function outcomeOf(answer: Answered, proposal: Omit<Proposal, "says" | "acts">): Outcome {
  const { state, task_id, outcome, unmet, findings, verify, note } = answer;
  if (state === "finished") {
    const kept = note === undefined ? "" : `; kept the note as ${note}`;
    return { tone: "good", text: `finished ${task_id ?? "the task"} as ${outcome ?? "said"}${kept}` };
  }
  if (state === "nothing") return { tone: "warn", text: "there is nothing to finish here" };
  const printed = verify === undefined || verify.exit === 0 ? undefined : verify.output?.trimEnd();
  return {
    again: {
      ...proposal,
      acts: [],
      title: "Not finished",
      says: [
        { text: `${counted(unmet, "clause")} not met, and nothing was written.`, tone: "warn" },
        { text: "" },
        ...clauseFacts(findings),
        ...(printed === undefined || printed === ""
          ? []
          : [{ text: "" }, { label: "it printed", text: "" }, { text: printed }]),
      ],
    },
  };
}

/** Lets the person end the task, with the contract before their eyes. */
export function finishTask(desk: Desk): void {
  const state = desk.store.getState();
  const root = rootHere(state, desk.rowsOf);
  const slices = slicesHere(state, desk.rowsOf);
  const task = taskHere(state, desk.rowsOf);
  if (task === undefined) return;
  const findings = slices?.contract.data?.findings ?? [];
  withTerms(desk, root, (terms) => openForm(desk, finishForm(root, task, terms, findings)));
}

function finishForm(root: string, task: TaskView, terms: Terms, findings: Answered["findings"]): Form {
  const contract: readonly Fact[] = [
    { label: "task", text: task.title },
    ...clauseFacts(findings),
    ...(terms.clauses.length === 0 ? [] : [{ label: "judged by", text: terms.clauses.join(", ") }]),
    ...terms.asks.map((ask, index) => ({ label: index === 0 ? "also needs" : "", text: ask })),
    {
      label: "the note",
      text: `needs ${terms.sections.map((name) => `# ${name}`).join(", ")}`,
      tone: "muted",
    },
  ];
  return {
    draft: `${root}\0finish\0${task.id}`,
    title: "Finish the task",
    root,
    intro: contract,
    fields: [
      { id: "outcome", label: "How it ended", kind: "choice", options: outcomes() },
      {
        id: "command",
        label: "Verify with",
        kind: "line",
        hint: "a shell command, run in the repository; may be left out",
      },
      { id: "note", label: "The note", kind: "text", hint: "empty takes the newest handover of the task" },
    ],
    initial: {},
    review: ({ outcome = "completed", command = "", note = "" }) => {
      const runs = outcome === "completed" && command.trim() !== "";
      const proposal = { title: "Finish the task?", root, verb: "finish it" };
      return {
        ...proposal,
        says: [
          { label: "ends", text: `${task.title}, as ${outcome}`, tone: "accent" },
          {
            label: "writes",
            text: "task.finished in the ledger, and the outcome into the task",
            tone: "accent",
          },
          { label: "", text: "the note among the completed tasks", tone: "accent" },
          ...(runs ? [{ label: "runs", text: command, tone: "warn" as const }] : []),
          { label: "only if", text: "every clause of the contract is met; else nothing is written" },
          { text: "" },
          ...contract.slice(1),
          ...(note.trim() === ""
            ? [{ label: "note", text: "the newest handover of the task" }]
            : [{ text: "" }, { text: note }]),
        ],
        acts: [
          {
            what: runs ? "verifying and finishing" : "finishing",
            capability: "finish.run",
            input: {
              outcome,
              ...(runs ? { verify_command: command } : {}),
              ...(note.trim() === "" ? {} : { note }),
            },
            outcome: written(FinishAnswer, (answer) => outcomeOf(answer, proposal)),
          },
        ],
      };
    },
  };
}
