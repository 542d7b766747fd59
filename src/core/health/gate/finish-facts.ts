import { parseTimestamp } from "../../base/time.ts";
import type { Checkout } from "../../checkout/checkout.ts";
import { shownPath } from "../../checkout/shown-path.ts";
import { inLedgerOrder, readWorkRecords } from "../../ledger/work-records.ts";
import { readDecisions } from "../../records/decisions.ts";
import { knownQuestions } from "../../records/questions.ts";
import type { Task } from "../../records/task.ts";
import { authoredText } from "../../text/authored.ts";
import type { FinishOutcome, Verification } from "../answers.ts";
import { changedSinceStart } from "./changed-since.ts";
import type { FinishFacts } from "./finish-clauses.ts";
import { divideByScope } from "./judge-scope.ts";
import type { TaskLabel } from "./task-here.ts";

/** Changed paths and those outside the scope, for the contract. */
export function scopeFacts(
  checkout: Checkout,
  task: Task,
  label: TaskLabel,
  own: readonly string[],
): FinishFacts["changed"] {
  const changed = changedSinceStart(checkout, task, label);
  if (!changed.ok) return { reason: changed.error };
  return divideByScope(checkout, task, changed.value, own);
}

/** A line that is mistyped may hide a question: the index is then no evidence that there is none. */
function blockerFacts({ layout }: Checkout): FinishFacts["blockers"] {
  const { open, doubt } = knownQuestions(layout.questions);
  return doubt === undefined ? { open } : { reason: doubt };
}

/** The newest handover that names the task. One from the future is never the newest. */
function newestHandover(checkout: Checkout, task: string): FinishFacts["note"] {
  const now = checkout.clock.now();
  const { candidates } = readWorkRecords(checkout, "handovers");
  const ofTask = candidates.filter(
    ({ taskId, createdAt }) => taskId === task && (parseTimestamp(createdAt) ?? 0) <= now,
  );
  const [newest] = inLedgerOrder(checkout, ofTask);
  return newest && { from: shownPath(checkout.root, newest.path), body: newest.record.body };
}

/** Gathers what the contract is judged by. At most three runs of git. */
export function gatherFinishFacts(
  checkout: Checkout,
  task: Task,
  given: {
    outcome: FinishOutcome;
    label: TaskLabel;
    changed: FinishFacts["changed"];
    verify: Verification | undefined;
    note: string | undefined;
  },
): FinishFacts {
  const { note, ...facts } = given;
  const decisions = readDecisions(checkout.layout.decisions);
  return {
    ...facts,
    blockers: blockerFacts(checkout),
    note:
      note === undefined ? newestHandover(checkout, task.id) : { from: "the note", body: authoredText(note) },
    decided: decisions.ok
      ? decisions.value.some((decision) => decision.task === task.id)
      : { reason: `the decision log cannot be read: ${decisions.error}` },
  };
}
