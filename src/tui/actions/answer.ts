import { QuestionResolveAnswer } from "../../core/task/answers.ts";
import type { Desk } from "../desk.ts";
import { questionToAnswer, rootHere, slicesHere, stateDirectory } from "../model/work-here.ts";
import { openForm } from "./form-keys.ts";
import { written } from "./written.ts";

/** Lets the person answer the open question under the cursor. */
export function answerQuestion(desk: Desk): void {
  const state = desk.store.getState();
  const open = questionToAnswer(state, desk.rowsOf);
  if (open === undefined) return;
  const root = rootHere(state, desk.rowsOf);
  const path = `${stateDirectory(slicesHere(state, desk.rowsOf), root)}/open-questions.md`;
  const { question, task, date } = open;
  openForm(desk, {
    draft: `${root}\0answer\0${question}`,
    title: "Answer a question",
    root,
    intro: [
      { label: "question", text: question },
      { label: "asked", text: `${date}, task ${task}`, tone: "muted" },
    ],
    fields: [{ id: "answer", label: "The answer", kind: "line" }],
    initial: {},
    review: ({ answer = "" }) => {
      if (answer.trim() === "") return "there is no answer yet";
      return {
        title: "Store this answer?",
        root,
        verb: "store it",
        says: [
          { label: "changes", text: `its line in ${path}`, tone: "accent" },
          { label: "", text: "question.resolved in the ledger", tone: "accent" },
          { label: "question", text: question },
          { label: "answer", text: answer.trim() },
        ],
        acts: [
          {
            what: "answering",
            capability: "question.resolve",
            input: { question, answer },
            outcome: written(QuestionResolveAnswer, () => ({
              tone: "good",
              text: `answered: ${question}; wrote ${path}`,
            })),
          },
        ],
      };
    },
  });
}
