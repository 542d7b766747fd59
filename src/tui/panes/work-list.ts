import { GLYPH } from "../glyphs.ts";
import { ageOf } from "../model/age.ts";
import type { Cell, Column } from "../model/columns.ts";
import { divergenceSpan, freshnessSpan, LEVEL_TONE } from "../model/labels.ts";
import { show, span } from "../model/line.ts";
import type { Line } from "../model/line.ts";
import { counted } from "../model/names.ts";
import type { Row } from "../model/rows.ts";
import type { ConsoleState } from "../store.ts";
import { arrangeRow, idText } from "./arrange-row.ts";
import type { Drawing, PaneSpec } from "./spec.ts";

const WIDE_FROM = 76;
const COLUMNS: readonly Column[] = [
  { width: 10 },
  { width: 17 },
  { width: 14, grow: true },
  { width: 8 },
  { width: 5, align: "right" },
];
const NARROW: readonly Column[] = [
  { width: 10 },
  { width: 10, from: 40 },
  { width: 14, grow: true },
  { width: 0, from: WIDE_FROM },
  { width: 5, align: "right", from: 48 },
];

function firstLine(text: string | undefined): string {
  return (text ?? "").split("\n").find((line) => line.trim() !== "") ?? "";
}

/** Month and day: records that know only their day have no age in hours. */
function dayText(date: string | undefined): string {
  return show((date ?? "").slice(5, 10));
}

/** Section, standing, what it says, whose it is, how old. */
function cellsOf(row: Row, drawing: Drawing): Cell[] {
  const { now } = drawing;
  if (row.kind === "task") {
    const { title, profile, outcome, id, foreign } = row.task;
    const standing = foreign ? "elsewhere" : outcome;
    const tone = foreign ? "warn" : outcome === "active" ? "good" : "muted";
    const what = [show(title), ...(profile === undefined ? [] : [show(profile)])].join(` ${GLYPH.dot} `);
    return [span("task", "accent"), span(standing, tone), span(what), span(idText(id, drawing), "muted")];
  }
  if (row.kind === "finding") {
    const { level, category, message } = row.finding;
    const tone = LEVEL_TONE[level];
    const words = show(message);
    return [span("  contract", "muted"), span(`${level} ${show(category)}`, tone), span(words)];
  }
  if (row.kind === "record") {
    const { divergence, created_at, next_action, body, task_id } = row.record;
    const says = next_action === undefined ? firstLine(body) : `next ${firstLine(next_action)}`;
    return [
      span(row.label, "accent"),
      divergenceSpan(divergence),
      span(show(says)),
      span(task_id === undefined ? "" : idText(task_id, drawing), "muted"),
      { ...freshnessSpan(row.record.freshness), text: ageOf(created_at, now) },
    ];
  }
  if (row.kind === "question") {
    const { question, answer, task, date } = row.question;
    const open = answer === undefined;
    return [
      span("question", open ? "warn" : "muted"),
      span(open ? "open" : "answered", open ? "warn" : "muted"),
      span(show(question), open ? "plain" : "muted"),
      span(task === "none" ? "" : idText(task, drawing), "muted"),
      span(dayText(date), "muted"),
    ];
  }
  if (row.kind !== "decision") return [];
  const { title, date, task, heading } = row.decision;
  return [
    span("decision", "info"),
    span("", "muted"),
    span(show(title === "" ? heading : title)),
    span(task === undefined || task === "none" ? "" : idText(task, drawing), "muted"),
    span(dayText(date), "muted"),
  ];
}

function counts(rows: readonly Row[]): string {
  const open = rows.filter((row) => row.kind === "question" && row.question.answer === undefined).length;
  const decided = rows.filter((row) => row.kind === "decision").length;
  const unmet = rows.filter((row) => row.kind === "finding" && row.finding.level === "FAIL").length;
  return [
    unmet > 0 ? `${counted(unmet, "clause")} unmet` : "",
    `${counted(open, "question")} open`,
    counted(decided, "decision"),
  ]
    .filter((part) => part !== "")
    .join(` ${GLYPH.dot} `);
}

function empty(state: ConsoleState): string {
  const asked = state.roots.every((root) => state.repositories[root]?.handover.state === "ready");
  return asked ? "no task, no record, no question, no decision here" : "";
}

/** The work of this checkout. */
export const WORK: PaneSpec = {
  title: "Work",
  slice: "state",
  also: ["handover", "checkpoint", "questions", "decisions", "contract", "terms"],
  counts,
  empty,
  row: (row, drawing): Line =>
    arrangeRow(row, drawing.width < WIDE_FROM ? NARROW : COLUMNS, cellsOf(row, drawing), drawing),
};
