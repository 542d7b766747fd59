import { headText } from "../checkout/checkout.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { hintsFor } from "../git/hints.ts";
import type { Moment } from "../git/moment.ts";
import type { RecordKind } from "../journal/record-copies.ts";
import { labelRecord } from "../ledger/labelled-record.ts";
import type { LabelledRecord } from "../ledger/labelled-record.ts";
import { recordView } from "../ledger/record-view.ts";
import { inLedgerOrder, readWorkRecords, resolveRecord, tierHere } from "../ledger/work-records.ts";
import type { SkippedFile } from "../records/record-file.ts";
import type { RecordDetail, RecordListAnswer } from "./answers.ts";

/** The record that resolves here, labelled, and what in the store is none. */
export interface Resolution {
  record: LabelledRecord | undefined;
  skipped: SkippedFile[];
}

function resolveKind(
  checkout: Checkout,
  kind: RecordKind,
  moment: Moment,
  task: string | undefined,
): Resolution {
  const records = readWorkRecords(checkout, kind);
  const found = resolveRecord(checkout, records, checkout.clock.now(), task);
  return {
    record: found && labelRecord(checkout, found, moment),
    skipped: records.skipped.map(({ path, reason }) => ({ path: shownPath(checkout.root, path), reason })),
  };
}

/** The handover that this checkout goes on from, with both labels (records.md 7). */
export function resolveHandover(checkout: Checkout, moment: Moment, task?: string): Resolution {
  return resolveKind(checkout, "handovers", moment, task);
}

/** The newest checkpoint that is about this checkout's branch, with both labels (records.md 7). */
export function resolveCheckpoint(checkout: Checkout, moment: Moment, task?: string): Resolution {
  return resolveKind(checkout, "checkpoints", moment, task);
}

/** A resolved record with its body, how the working tree has changed since, and what became of its commit. */
export function recordDetail(
  checkout: Pick<Checkout, "repository" | "head">,
  labelled: LabelledRecord | undefined,
  moment: Moment,
): RecordDetail | null {
  const view = labelled && recordView(labelled);
  if (labelled === undefined || view === undefined) return null;
  const then = labelled.record.working_tree;
  const tree = moment.tree();
  const now = tree.ok ? tree.value.state : undefined;
  const differs = then !== undefined && now !== undefined && then !== now;
  return {
    ...view,
    body: labelled.record.body,
    ...(view.divergence === "diverged" ? hintsFor(checkout.repository, view.head, headText(checkout)) : {}),
    ...(differs ? { tree_note: `working tree was ${then}, now ${now}` } : {}),
  };
}

/** The records of a kind, newest first, each with its labels; those of other branches only when asked for. */
export function listRecords(
  checkout: Checkout,
  kind: RecordKind,
  moment: Moment,
  wanted: { task?: string | undefined; all?: boolean | undefined },
): RecordListAnswer {
  const { candidates, skipped } = readWorkRecords(checkout, kind);
  const ofTask = candidates.filter(
    ({ taskId }) => wanted.task === undefined || (taskId ?? "none") === wanted.task,
  );
  const listed =
    wanted.all === true ? ofTask : ofTask.filter((candidate) => tierHere(checkout, candidate) !== undefined);
  moment.judge(listed.map(({ record }) => record.head));
  return {
    schema: 1,
    records: inLedgerOrder(checkout, listed).map((candidate) => {
      const tier = tierHere(checkout, candidate);
      const labelled = labelRecord(checkout, { candidate, tier }, moment);
      return {
        path: labelled.path,
        created_at: labelled.record.created_at,
        task_id: labelled.record.task_id,
        branch: labelled.record.branch,
        head: labelled.record.head,
        match: tier ?? null,
        divergence: labelled.divergence,
        freshness: labelled.freshness,
        age_minutes: labelled.ageMinutes ?? null,
      };
    }),
    elsewhere: ofTask.length - listed.length,
    skipped: skipped.map(({ path, reason }) => ({ path: shownPath(checkout.root, path), reason })),
  };
}
