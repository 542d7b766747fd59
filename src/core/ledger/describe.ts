import type { HistoryLine } from "./answers.ts";
import { isEnvelopeKey, textField } from "./line.ts";
import type { LedgerLine } from "./line.ts";
import type { LedgerValue } from "./values.ts";
import { isRegistered } from "./vocabulary.ts";

/** Payload members that name a record, the most telling first. */
const RECORD_KEYS = ["session_path", "handover_path", "checkpoint_path", "path", "archive"] as const;

/** Where a member stands in a summary: what other columns tell too, or a path, comes last. */
function rankInSummary(key: string): number {
  if (key === "task_id") return 3;
  if (RECORD_KEYS.some((path) => path === key)) return 2;
  return key === "provider" ? 1 : 0;
}

/**
 * The payload as `key=value` in one line, for people: the most telling first, because a list cuts it. Raw: a
 * surface makes it safe to show.
 */
export function payloadSummary(line: LedgerLine): string {
  return [...line.fields]
    .filter(([key]) => !isEnvelopeKey(key))
    .toSorted(([one], [other]) => rankInSummary(one) - rankInSummary(other))
    .map(([key, value]) => `${key}=${valueText(value)}`)
    .join(" ");
}

function valueText(value: LedgerValue): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(valueText).join(",");
  return value !== null && typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The task that a line belongs to. `none` and an absent key are alike (records.md 4.1). */
export function taskOf(line: LedgerLine): string | undefined {
  const task = textField(line, "task_id") ?? textField(line, "task");
  return task === "none" ? undefined : task;
}

/** A line as `history.query` answers it. */
export function describeLine(line: LedgerLine, offset: number): HistoryLine {
  const described: HistoryLine = {
    offset,
    ts: line.ts,
    event: line.event,
    summary: payloadSummary(line),
    registered: isRegistered(line.event),
  };
  for (const key of ["head", "branch", "by", "session"] as const) {
    const value = line[key];
    if (value !== undefined) described[key] = value;
  }
  const task = taskOf(line);
  if (task !== undefined) described.task = task;
  const recordKey = RECORD_KEYS.find((key) => textField(line, key) !== undefined);
  if (recordKey !== undefined) described.record = textField(line, recordKey) ?? "";
  return described;
}
