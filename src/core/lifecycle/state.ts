import type { Checkout } from "../checkout/checkout.ts";
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
  task: string | undefined,
): { handover: RecordView | undefined; checkpoint: RecordView | undefined } {
  const handover = shelf.newest("handovers", task);
  const checkpoint = shelf.newest("checkpoints", task);
  moment.judge([handover?.candidate.record.head, checkpoint?.candidate.record.head]);
  return {
    handover: handover && recordView(labelRecord(checkout, handover, moment)),
    checkpoint: checkpoint && recordView(labelRecord(checkout, checkpoint, moment)),
  };
}

/**
 * The worker's answer: this checkout's episode, task, blockers, handover and checkpoint, with their labels. At
 * most two git processes.
 */
export function readState(checkout: Checkout): StateAnswer {
  const roster = readRoster(checkout);
  const moment = new Moment(checkout.repository, checkout.head);
  const tree = moment.tree();
  const current = roster.entries.find(
    (entry) => entry.here && entry.ended === undefined && entry.sessionId === roster.pointer.sessionId,
  );
  const here = readTaskHere(checkout);
  const shelf = new RecordShelf(checkout);
  moment.judge([current?.file?.start_head]);
  const { handover, checkpoint } = resolvedViews(checkout, shelf, moment, ownTaskOf(here)?.id);
  const session = current === undefined ? undefined : sessionView(checkout, current, moment);
  const questions = knownQuestions(checkout.layout.questions);
  const findings: Finding[] = [];
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
  for (const { path, reason } of [...shelf.skipped("handovers"), ...shelf.skipped("checkpoints")]) {
    findings.push({
      level: "WARN",
      category: "records",
      subject: shownPath(checkout.root, path),
      message: reason,
    });
  }
  const waiting = waitingOffers(checkout.layout.state, checkout.common.root);
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
    tallies: {
      open: roster.entries.length,
      stranded: roster.entries.filter((entry) => strandingOf(entry) !== undefined).length,
      closed: listClosedSessions(checkout.layout.sessions).records.length,
      ledger_lines: ledgerFiles(checkout.layout.state).reduce((sum, file) => sum + summarise(file).lines, 0),
    },
    ...(findings.length === 0 ? {} : { findings }),
  };
}
