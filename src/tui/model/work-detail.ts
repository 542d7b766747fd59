import { withAge } from "./age.ts";
import type { DetailContext } from "./detail-context.ts";
import { excerptLines, fact, factList, textLines } from "./facts.ts";
import { hintLines } from "./hints.ts";
import { divergenceSpan, freshnessSpan } from "./labels.ts";
import { show, span } from "./line.ts";
import type { Line } from "./line.ts";
import { pathFrom, shortHead } from "./names.ts";
import type { DecisionView, QuestionView, RowOf } from "./rows.ts";
import { termsOf } from "./terms.ts";

/** The task, its scope, and what has to be so when it is finished. */
export function taskDetail({ task, terms }: RowOf<"task">, { width }: DetailContext): readonly Line[] {
  const { id, title, profile, outcome, scope, foreign } = task;
  const asked = termsOf(terms);
  return [
    [span(show(title), "plain", true), span(`  ${show(outcome)}`, outcome === "active" ? "good" : "muted")],
    ...(foreign ? [[span("It belongs to another worktree: nothing of it binds here.", "warn")]] : []),
    ...fact("task", id, width),
    ...factList("scope", scope, width),
    ...fact("profile", profile ?? asked.profile, width),
    ...fact("to finish", asked.clauses.join(", "), width),
    ...factList("also needs", asked.asks, width),
    ...fact("the note", asked.sections.map((name) => `# ${name}`).join(", "), width),
    ...fact("output", asked.output.join(", "), width),
  ];
}

/** A handover or checkpoint with both its labels, and its text. */
export function recordDetail(
  { label, record, root }: RowOf<"record">,
  { width, now, home }: DetailContext,
): readonly Line[] {
  const { divergence, divergence_reason, freshness, freshness_reason, match } = record;
  const place = match === "same_branch" ? "this branch, another worktree" : "this worktree, this branch";
  return [
    [span(`${label}  `, "plain", true), divergenceSpan(divergence), span("  "), freshnessSpan(freshness)],
    ...fact(divergence, divergence_reason, width),
    ...hintLines(record, width),
    ...fact(freshness, freshness_reason, width),
    ...fact("made", withAge(record.created_at, now), width),
    ...fact("resolves by", place, width),
    ...fact("branch", [record.branch, shortHead(record.head)].filter(Boolean).join(" at "), width),
    ...fact("tree", record.tree_note ?? record.working_tree, width, record.tree_note ? "warn" : "plain"),
    ...fact("task", record.task_id, width),
    ...fact("next", record.next_action?.replaceAll("\n", " "), width, "accent"),
    ...fact("next", record.next_action_withheld, width, "warn"),
    ...fact("record", pathFrom(root, record.path, home), width, "muted"),
    [],
    ...excerptLines(record.body.trim(), width),
  ];
}

export function questionDetail(question: QuestionView, { width }: DetailContext): readonly Line[] {
  const open = question.answer === undefined;
  return [
    [span(open ? "open question" : "answered question", open ? "warn" : "muted")],
    ...textLines(question.question, width),
    ...fact("answer", question.answer, width, "good"),
    ...fact("task", question.task, width),
    ...fact(open ? "asked" : "answered", question.date, width),
    ...(open ? fact("", "it blocks a completed finish", width, "muted") : []),
  ];
}

export function decisionDetail(decision: DecisionView, { width }: DetailContext): readonly Line[] {
  return [
    ...textLines(decision.title === "" ? decision.heading : decision.title, width),
    ...fact("decided", decision.date, width),
    ...fact("why", decision.why, width),
    ...fact("rejected", decision.rejected, width),
    ...fact("evidence", decision.evidence, width),
    ...fact("supersedes", decision.supersedes, width),
    ...fact("replaced by", decision.superseded_by, width, "warn"),
    ...fact("carried", decision.carried, width),
    ...fact("task", decision.task, width),
    ...fact("at", shortHead(decision.head), width, "muted"),
  ];
}
