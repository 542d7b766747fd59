import { QuestionAddAnswer, DecisionAnswer } from "../../core/task/answers.ts";
import type { Desk } from "../desk.ts";
import type { Form, FormField } from "../form.ts";
import type { Fact } from "../model/facts.ts";
import { termsOf } from "../model/terms.ts";
import { rootHere, stateDirectory } from "../model/work-here.ts";
import { reviewDerived } from "./derived-review.ts";
import { openForm } from "./form-keys.ts";
import { withTerms } from "./load-terms.ts";
import {
  checkpointProposal,
  DERIVED_CHECKPOINT,
  derivedHandoverInput,
  handoverProposal,
  noTaskFact,
} from "./record-proposals.ts";
import type { Place } from "./record-proposals.ts";
import { written } from "./written.ts";

/** Where a new record of a checkout would lie, and what it would belong to, as far as that is known now. */
function placeIn(desk: Desk, root: string): Place {
  const slices = desk.store.getState().repositories[root];
  const task = slices?.state.data?.task;
  const { branch = "", head } = slices?.state.data ?? {};
  return {
    root,
    directory: stateDirectory(slices, root),
    branch,
    head,
    task: task?.foreign === false ? task : undefined,
    taskKnown: slices?.state.data !== undefined,
    taskDoubt: slices?.state.data?.task_unknown,
    terms: termsOf(slices?.terms.data),
  };
}

function placeHere(desk: Desk): Place {
  return placeIn(desk, rootHere(desk.store.getState(), desk.rowsOf));
}

function taskFact(place: Place): Fact {
  return place.task === undefined ? noTaskFact(place) : { label: "task", text: place.task.title };
}

const SOURCE: FormField = {
  id: "source",
  label: "From",
  kind: "choice",
  options: [
    { value: "written", says: "what you wrote above" },
    { value: "derived", says: "git and the ledger alone; what is written above is not used" },
  ],
};

export function newCheckpoint(desk: Desk): void {
  const place = placeHere(desk);
  const { checkpointLines } = place.terms;
  const most = checkpointLines === undefined ? "" : `at most ${checkpointLines} lines; `;
  const form: Form = {
    draft: `${place.root}\0checkpoint`,
    title: "New checkpoint",
    root: place.root,
    intro: [taskFact(place)],
    fields: [
      {
        id: "body",
        label: "What was done, what is next",
        kind: "text",
        hint: `${most}empty moves only the task's checkpoint time`,
      },
      SOURCE,
    ],
    initial: {},
    review: (values) =>
      values["source"] === "derived"
        ? reviewDerived(desk, {
            root: place.root,
            capability: "checkpoint.write",
            input: DERIVED_CHECKPOINT,
            proposalOf: (text) => checkpointProposal(placeIn(desk, place.root), values, text),
          })
        : checkpointProposal(placeIn(desk, place.root), values),
  };
  openForm(desk, form);
}

export function newHandover(desk: Desk): void {
  const place = placeHere(desk);
  withTerms(desk, place.root, (terms) => openForm(desk, handoverForm(desk, { ...place, terms })));
}

function handoverForm(desk: Desk, place: Place): Form {
  const { sections } = place.terms;
  const close: FormField = {
    id: "task",
    label: "The task",
    kind: "choice",
    options: [
      { value: "keep", says: "stays active" },
      { value: "close", says: "becomes handed over" },
    ],
  };
  return {
    draft: `${place.root}\0handover`,
    title: "New handover",
    root: place.root,
    intro: [taskFact(place)],
    fields: [
      { id: "body", label: "What whoever goes on needs to know", kind: "text" },
      SOURCE,
      ...(place.task?.outcome === "active" ? [close] : []),
    ],
    initial: { body: sections.map((name) => `# ${name}\n\n`).join("\n") },
    review: (values) =>
      values["source"] === "derived"
        ? reviewDerived(desk, {
            root: place.root,
            capability: "handover.write",
            input: derivedHandoverInput(placeIn(desk, place.root), values),
            proposalOf: (text) => handoverProposal(placeIn(desk, place.root), values, text),
          })
        : handoverProposal(placeIn(desk, place.root), values),
  };
}

export function newQuestion(desk: Desk): void {
  const place = placeHere(desk);
  const { root, directory } = place;
  openForm(desk, {
    draft: `${root}\0question`,
    title: "New question",
    root,
    intro: [
      taskFact(place),
      { label: "", text: "An open question blocks a completed finish.", tone: "muted" },
    ],
    fields: [{ id: "question", label: "What has to be answered", kind: "line" }],
    initial: {},
    review: ({ question = "" }) => {
      if (question.trim() === "") return "there is no question yet";
      return {
        title: "Ask this?",
        root,
        verb: "ask it",
        says: [
          { label: "adds to", text: `${directory}/open-questions.md`, tone: "accent" },
          { label: "", text: "question.opened in the ledger", tone: "accent" },
          taskFact(placeIn(desk, root)),
          { label: "question", text: question.trim() },
        ],
        acts: [
          {
            what: "asking",
            capability: "question.add",
            input: { question },
            outcome: written(QuestionAddAnswer, (answer) => ({
              tone: "good",
              text: `asked: ${answer.question.question}; wrote ${directory}/open-questions.md`,
            })),
          },
        ],
      };
    },
  });
}

export function newDecision(desk: Desk): void {
  const place = placeHere(desk);
  const { root, directory } = place;
  openForm(desk, {
    draft: `${root}\0decision`,
    title: "New decision",
    root,
    intro: [taskFact(place)],
    fields: [
      { id: "title", label: "What was decided", kind: "line" },
      { id: "why", label: "Why", kind: "line" },
      { id: "rejected", label: "What was rejected", kind: "line", hint: "may be left out" },
      { id: "evidence", label: "Evidence", kind: "line", hint: "may be left out" },
      {
        id: "supersedes",
        label: "Takes the place of",
        kind: "line",
        hint: "an older decision's title or a part of it; may be left out",
      },
    ],
    initial: {},
    review: (values) => {
      const { title = "", why = "" } = values;
      if (title.trim() === "") return "a decision needs what was decided";
      if (why.trim() === "") return "a decision needs its why";
      const given = Object.entries(values).filter(([, value]) => value.trim() !== "");
      return {
        title: "Record this decision?",
        root,
        verb: "record it",
        says: [
          { label: "adds to", text: `${directory}/decisions.md`, tone: "accent" },
          { label: "", text: "decision.recorded in the ledger", tone: "accent" },
          taskFact(placeIn(desk, root)),
          ...given.map(([name, value]): Fact => ({
            label: name === "title" ? "decision" : name,
            text: value,
          })),
        ],
        acts: [
          {
            what: "recording",
            capability: "decision.add",
            input: Object.fromEntries(given),
            outcome: written(DecisionAnswer, (answer) => ({
              tone: "good",
              text: `decided: ${answer.decision.title}; wrote ${directory}/decisions.md`,
            })),
          },
        ],
      };
    },
  });
}
