import type { Checkout } from "../checkout/checkout.ts";
import { Readings } from "../checkout/readings.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { Moment } from "../git/moment.ts";
import { readRoster } from "../journal/roster.ts";
import type { RosterEntry } from "../journal/roster.ts";
import { strandingOf } from "../journal/stranding.ts";
import { labelDivergence } from "../labels/divergence.ts";
import { ledgerFiles } from "../ledger/files.ts";
import { labelRecord } from "../ledger/labelled-record.ts";
import { RecordShelf } from "../ledger/record-shelf.ts";
import { recordView } from "../ledger/record-view.ts";
import type { RecordView } from "../ledger/record-view.ts";
import { summarise } from "../ledger/summary-cache.ts";
import { waitingOffers } from "../records/continuity-cache.ts";
import { knownQuestions } from "../records/questions.ts";
import { listClosedSessions } from "../records/session-store.ts";
import { ownTaskOf, readTaskHere, taskDoubt } from "../records/task.ts";
import type { Finding } from "../labels/terms.ts";
import type { SessionView, StateAnswer } from "./answers.ts";

function sessionView(checkout: Checkout, entry: RosterEntry, moment: Moment): SessionView | undefined {
  const { file } = entry;
  if (file === undefined) return undefined;
  const label = labelDivergence({ branch: file.branch, head: file.start_head }, checkout, (commit) =>
    moment.ancestry(commit),
  );
  const optional = (key: string, value: string | undefined): object =>
    value === undefined || value === "" ? {} : { [key]: value };
  return {
    session_id: file.session_id,
    ...optional("started_at", file.started_at),
    ...optional("owner", file.owner),
    ...optional("provider", file.provider),
    ...optional("provider_session", file.provider_session),
    ...optional("branch", file.branch),
    ...optional("start_head", file.start_head),
    standing: entry.standing,
    divergence: label.divergence,
    divergence_reason: label.reason,
  };
}

/** The handover and the checkpoint that resolve here: of the task before any other. */
function resolvedViews(
  checkout: Checkout,
  shelf: RecordShelf,
  moment: Moment,
  readings: Readings,
  task: string | undefined,
): { handover: RecordView | undefined; checkpoint: RecordView | undefined } {
  const handover = readings.attempt("handovers", () => shelf.newest("handovers", task));
  const checkpoint = readings.attempt("checkpoints", () => shelf.newest("checkpoints", task));
  moment.judge([handover?.candidate.record.head, checkpoint?.candidate.record.head]);
  return {
    handover: handover && recordView(labelRecord(checkout, handover, moment)),
    checkpoint: checkpoint && recordView(labelRecord(checkout, checkpoint, moment)),
  };
}

/** How much there is; of what cannot be read, nothing is said. */
function tallyStores(
  { layout }: Checkout,
  entries: readonly RosterEntry[] | undefined,
  readings: Readings,
): StateAnswer["tallies"] {
  const closed = readings.attempt("sessions", () => listClosedSessions(layout.sessions).records.length);
  const lines = readings.attempt("ledger", () =>
    ledgerFiles(layout.state).reduce((sum, file) => sum + summarise(file).lines, 0),
  );
  const stranded = entries?.filter((entry) => strandingOf(entry) !== undefined);
  return {
    ...(entries === undefined ? {} : { open: entries.length, stranded: stranded?.length ?? 0 }),
    ...(closed === undefined ? {} : { closed }),
    ...(lines === undefined ? {} : { ledger_lines: lines }),
  };
}

/** Why something is unknown, under the names of the answer. */
function unknowns(readings: Readings): Partial<StateAnswer> {
  const told = {
    session_unknown: readings.reasonOf("episodes"),
    handover_unknown: readings.reasonOf("handovers"),
    checkpoint_unknown: readings.reasonOf("checkpoints"),
  };
  return Object.fromEntries(Object.entries(told).filter(([, reason]) => reason !== undefined));
}

/**
 * The worker's answer: this checkout's episode, task, blockers, handover and checkpoint, with their labels. At
 * most two git processes. What cannot be read is a finding, and everything else is told.
 */
export function readState(checkout: Checkout): StateAnswer {
  const readings = new Readings(checkout.root, "FAIL");
  const roster = readings.attempt("episodes", () => readRoster(checkout));
  const moment = new Moment(checkout.repository, checkout.head);
  const tree = moment.tree();
  const current = roster?.entries.find(
    (entry) => entry.here && entry.ended === undefined && entry.sessionId === roster.pointer.sessionId,
  );
  const here = readTaskHere(checkout);
  const shelf = new RecordShelf(checkout);
  moment.judge([current?.file?.start_head]);
  const { handover, checkpoint } = resolvedViews(checkout, shelf, moment, readings, ownTaskOf(here)?.id);
  const session = current === undefined ? undefined : sessionView(checkout, current, moment);
  const questions = knownQuestions(checkout.layout.questions);
  const findings: Finding[] = [];
  const tallies = tallyStores(checkout, roster?.entries, readings);
  const waiting =
    readings.attempt("waiting", () => waitingOffers(checkout.layout.state, checkout.common.root)) ?? [];
  if (here.kind === "invalid") {
    findings.push({
      level: "FAIL",
      category: "state",
      subject: checkout.layout.task,
      message: here.reason,
    });
  }
  if (questions.doubt !== undefined) {
    findings.push({
      level: "FAIL",
      category: "blockers",
      subject: checkout.layout.questions,
      message: questions.doubt,
    });
  }
  if (!tree.ok)
    findings.push({ level: "WARN", category: "git", subject: checkout.root, message: tree.error });
  const kinds = ["handovers", "checkpoints"] as const;
  const skipped = kinds.flatMap((kind) => readings.attempt(kind, () => shelf.skipped(kind)) ?? []);
  for (const { path, reason } of skipped) {
    findings.push({
      level: "WARN",
      category: "records",
      subject: shownPath(checkout.root, path),
      message: reason,
    });
  }
  findings.push(...readings.findings);
  const blockers = questions.open.map(({ question }) => question);
  const own = here.kind === "own" || here.kind === "foreign" ? here.task : undefined;
  const unknown = taskDoubt(here);
  return {
    present: true,
    worktree: checkout.root,
    branch: checkout.branch,
    ...(checkout.head === undefined ? {} : { head: checkout.head }),
    ...(tree.ok ? { working_tree: tree.value.state, changed: tree.value.changed.length } : {}),
    ...(session === undefined ? {} : { session }),
    ...(own === undefined
      ? {}
      : {
          task: {
            id: own.id,
            title: own.title ?? own.task,
            ...(own.profile === "" ? {} : { profile: own.profile }),
            outcome: own.outcome,
            ...(own.scope.length === 0 ? {} : { scope: own.scope }),
            foreign: here.kind === "foreign",
          },
        }),
    ...(unknown === undefined ? {} : { task_unknown: unknown }),
    ...(handover === undefined ? {} : { handover }),
    ...(checkpoint === undefined ? {} : { checkpoint }),
    ...(blockers.length === 0 ? {} : { blockers }),
    ...(questions.doubt === undefined ? {} : { blockers_unknown: questions.doubt }),
    ...(waiting.length === 0 ? {} : { waiting: [...waiting] }),
    ...unknowns(readings),
    tallies,
    ...(findings.length === 0 ? {} : { findings }),
  };
}
