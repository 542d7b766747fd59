import type { Slices } from "../slices.ts";
import { findingRow, searchable, textRows } from "./rows.ts";
import type { DecisionView, QuestionView, RecordLabel, Row } from "./rows.ts";
import type { RecordDetail } from "../../core/task/answers.ts";

function taskRows(root: string, slices: Slices): Row[] {
  const { task, task_unknown: unknown, findings = [] } = slices.state.data ?? {};
  if (unknown !== undefined) {
    return findings
      .filter(({ category }) => category === "state")
      .map((finding) => findingRow(root, finding));
  }
  if (task === undefined) return [];
  const search = searchable("task", task.id, task.title, task.profile, task.outcome, ...(task.scope ?? []));
  return [{ kind: "task", id: `${root}\0task\0${task.id}`, root, search, task, terms: slices.terms.data }];
}

function recordRow(root: string, label: RecordLabel, record: RecordDetail): Row {
  const { path, branch, divergence, freshness, next_action, body } = record;
  return {
    kind: "record",
    id: `${root}\0${label}\0${path}`,
    root,
    search: searchable(label, path, branch, divergence, freshness, next_action, body),
    label,
    record,
  };
}

function questionRow(root: string, question: QuestionView): Row {
  const { task, date, answer } = question;
  return {
    kind: "question",
    id: `${root}\0question\0${task}\0${question.question}`,
    root,
    search: searchable("question", task, question.question, date, answer),
    question,
  };
}

function decisionRow(root: string, decision: DecisionView): Row {
  const { heading, task, why, rejected, evidence, line } = decision;
  return {
    kind: "decision",
    id: `${root}\0decision\0${line}\0${heading}`,
    root,
    search: searchable("decision", heading, task, why, rejected, evidence),
    decision,
  };
}

/** What is being worked on: the task and its contract, what would be resumed from, what is asked and decided. */
export function workRows(root: string, slices: Slices): readonly Row[] {
  const { contract, handover, checkpoint, questions, decisions } = slices;
  const bound = slices.state.data?.task !== undefined;
  return [
    ...taskRows(root, slices),
    // Without a task there is nothing to enforce, and no row needs to say so.
    ...(bound ? (contract.data?.findings ?? []).map((finding) => findingRow(root, finding)) : []),
    ...[handover.data?.handover].flatMap((record) => (record ? [recordRow(root, "handover", record)] : [])),
    ...[checkpoint.data?.checkpoint].flatMap((record) =>
      record ? [recordRow(root, "checkpoint", record)] : [],
    ),
    ...(questions.data?.open ?? []).map((question) => questionRow(root, question)),
    ...(decisions.data?.decisions ?? []).toReversed().map((decision) => decisionRow(root, decision)),
    ...(questions.data?.resolved ?? []).toReversed().map((question) => questionRow(root, question)),
  ];
}

/** What a new worker would be told at its start, word for word, a row a line. */
export function briefingRows(root: string, { told }: Slices): readonly Row[] {
  const text = told.data?.text.replace(/\n$/, "");
  return textRows(root, "briefing", "What a new worker is told at its start", text === "" ? undefined : text);
}
