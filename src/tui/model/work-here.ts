import { dirname } from "node:path";
import type { TaskView } from "../../core/lifecycle/answers.ts";
import { currentRow } from "../row-source.ts";
import type { RowSource } from "../row-source.ts";
import type { Slices } from "../slices.ts";
import type { ConsoleState } from "../store.ts";
import { pathFrom } from "./names.ts";
import type { QuestionView } from "./rows.ts";

/** The repository that a key acts in: that of the row under the cursor, else the first. */
export function rootHere(state: ConsoleState, rowsOf: RowSource): string {
  return currentRow(state, rowsOf)?.root ?? state.roots[0] ?? "";
}

export function slicesHere(state: ConsoleState, rowsOf: RowSource): Slices | undefined {
  return state.repositories[rootHere(state, rowsOf)];
}

/** The task of this very checkout. */
export function taskHere(state: ConsoleState, rowsOf: RowSource): TaskView | undefined {
  const task = slicesHere(state, rowsOf)?.state.data?.task;
  return task?.foreign === false ? task : undefined;
}

/** The open question under the cursor; elsewhere the only one that is open. */
export function questionToAnswer(state: ConsoleState, rowsOf: RowSource): QuestionView | undefined {
  const row = currentRow(state, rowsOf);
  if (row?.kind === "question") return row.question.answer === undefined ? row.question : undefined;
  const open = slicesHere(state, rowsOf)?.questions.data?.open ?? [];
  return open.length === 1 ? open[0] : undefined;
}

/** Where this checkout keeps its state, as a person would write the path. */
export function stateDirectory(slices: Slices | undefined, root: string): string {
  const store = slices?.episodes.data?.store;
  return store === undefined ? ".ai/local/state" : pathFrom(root, dirname(store), undefined);
}
