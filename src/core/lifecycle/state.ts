import type { Checkout } from "../checkout/checkout.ts";
import { isCommitId } from "../base/id.ts";
import { indexDivergence } from "../git/divergence-index.ts";
import { readWorkingTree } from "../git/status.ts";
import { readRoster } from "../journal/roster.ts";
import type { RosterEntry } from "../journal/roster.ts";
import { labelDivergence } from "../labels/divergence.ts";
import { ledgerFiles } from "../ledger/files.ts";
import { summarise } from "../ledger/summary-cache.ts";
import { readQuestions } from "../records/questions.ts";
import { listClosedSessions } from "../records/session-store.ts";
import { readTask } from "../records/task.ts";
import type { Finding } from "../labels/terms.ts";
import type { SessionView, StateAnswer } from "./answers.ts";

function sessionView(checkout: Checkout, entry: RosterEntry): SessionView | undefined {
  const { file } = entry;
  if (file === undefined) return undefined;
  const commits = isCommitId(file.start_head) ? [file.start_head] : [];
  const index = indexDivergence(checkout.repository, checkout.head, commits);
  const label = labelDivergence({ branch: file.branch, head: file.start_head }, checkout, (commit) =>
    index.of(commit),
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

/** The worker's answer: this checkout's episode, task and blockers, with their labels; the episode half of continuity. */
export function readState(checkout: Checkout): StateAnswer {
  const roster = readRoster(checkout);
  const tree = readWorkingTree(checkout.repository);
  const current = roster.entries.find((entry) => entry.here && entry.sessionId === roster.pointer.sessionId);
  const session = current === undefined ? undefined : sessionView(checkout, current);
  const task = readTask(checkout.layout.task);
  const questions = readQuestions(checkout.layout.questions);
  const findings: Finding[] = [];
  if (!task.ok && task.error.kind === "invalid") {
    findings.push({
      level: "FAIL",
      category: "state",
      subject: checkout.layout.task,
      message: task.error.reason,
    });
  }
  if (!questions.ok) {
    findings.push({
      level: "FAIL",
      category: "blockers",
      subject: checkout.layout.questions,
      message: questions.error,
    });
  }
  if (!tree.ok)
    findings.push({ level: "WARN", category: "git", subject: checkout.root, message: tree.error });
  const blockers = questions.ok ? questions.value.open.map(({ question }) => question) : [];
  const own = task.ok ? task.value : undefined;
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
            foreign: own.worktree !== checkout.root,
          },
        }),
    ...(blockers.length === 0 ? {} : { blockers }),
    tallies: {
      open: roster.entries.length,
      stranded: roster.entries.filter((entry) => entry.whereabouts.kind === "gone").length,
      closed: listClosedSessions(checkout.layout.sessions).records.length,
      ledger_lines: ledgerFiles(checkout.layout.state).reduce((sum, file) => sum + summarise(file).lines, 0),
    },
    ...(findings.length === 0 ? {} : { findings }),
  };
}
