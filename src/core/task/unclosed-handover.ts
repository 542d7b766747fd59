import { basename, join } from "node:path";
import type { Checkout } from "../checkout/checkout.ts";
import { headText } from "../checkout/checkout.ts";
import { textField } from "../ledger/line.ts";
import type { LedgerLine } from "../ledger/line.ts";
import { readRecordText } from "../records/record-file.ts";
import type { Task } from "../records/task.ts";
import { parseWorkRecord } from "../records/work-record.ts";
import { hasAuthoredSince } from "./handover-due.ts";
import { isDerived, taskLines } from "./work-facts.ts";

function closes(line: LedgerLine): boolean {
  const mark = line.fields.get("closed");
  return mark === 1 || mark === true;
}

function saysTheSame(checkout: Checkout, path: string, body: string): boolean {
  const text = readRecordText(join(checkout.layout.handovers, basename(path)));
  const record = text.ok ? parseWorkRecord(text.value) : text;
  return record.ok && record.value.body.trimEnd() === body.trimEnd();
}

/**
 * The handover that closed an active task, as record and ledger say, while the task does not: a run that came no
 * further. Asked for once more, it is completed, not doubled (promise 41).
 *
 * @param body of the handover that is to be written; a derived one counts itself, and is the same while nothing else
 *   was recorded and HEAD did not move.
 * @returns its path, relative to the work tree.
 */
export function findUnclosed(
  checkout: Checkout,
  task: Task | undefined,
  body: string,
  derived: boolean,
): string | undefined {
  if (task?.outcome !== "active") return undefined;
  const lines = taskLines(checkout, task.id);
  const last = lines.findLast(({ event }) => event === "task.handed_over");
  const path = last && textField(last, "handover_path");
  if (last === undefined || path === undefined || !closes(last) || isDerived(last) !== derived)
    return undefined;
  const same = derived
    ? last.head === headText(checkout) && !hasAuthoredSince(lines)
    : saysTheSame(checkout, path, body);
  return same ? path : undefined;
}
