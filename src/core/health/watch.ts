import type { Checkout } from "../checkout/checkout.ts";
import { Readings } from "../checkout/readings.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { Moment } from "../git/moment.ts";
import { readRoster } from "../journal/roster.ts";
import { strandingOf } from "../journal/stranding.ts";
import type { Finding } from "../labels/terms.ts";
import { labelRecord } from "../ledger/labelled-record.ts";
import { RecordShelf } from "../ledger/record-shelf.ts";
import { inLedgerOrder, readWorkRecords } from "../ledger/work-records.ts";
import { missingSections } from "../records/body-sections.ts";
import type { Task } from "../records/task.ts";
import { judgeLedgerLength } from "./doctor/judge-ledger-store.ts";
import { judgeRetention } from "./doctor/judge-records.ts";
import { changedSinceStart } from "./gate/changed-since.ts";
import { judgeCheckpoint } from "./gate/judge-checkpoint.ts";
import { divideByScope, judgeScope } from "./gate/judge-scope.ts";
import { intervalOf, profileNameOf, readProfile } from "./gate/profile-here.ts";
import { readTaskHere } from "../records/task.ts";
import { labelTask } from "./gate/task-here.ts";
import { readHooksHere } from "./hooks-here.ts";
import { judgeLedger } from "./judge-ledger.ts";
import { judgeQuestionForm, readQuestionIndex } from "./judge-questions.ts";
import { judgement } from "./judgement.ts";
import { shellWord } from "../text/shell-word.ts";
import { judgePrompts } from "./prompts/prompts-here.ts";
import { readTaskLines } from "./task-lines.ts";
import { listDirectory } from "../fs/read.ts";
import { showCommand } from "../fs/show-command.ts";

const DRIFT = "DRIFT";

function drift(category: string, subject: string, message: string, reproduce: string): Finding {
  return judgement(DRIFT, category, subject, message, reproduce);
}

/** The outcome that the task file states against what the ledger last said of it. */
function watchOutcome(checkout: Checkout, task: Task): Finding[] {
  const { finished } = readTaskLines(checkout, task.id);
  const last = finished.at(-1);
  const show = `majordomus history --task ${shellWord(task.id)}`;
  const { outcome } = task;
  if (outcome === "active" || outcome === "handed_over") {
    if (last === undefined) return [];
    return [drift("state", task.id, `is ${outcome}, and the ledger says that it ended ${last}`, show)];
  }
  if (last === undefined) {
    return [
      drift("verification", task.id, `ended ${outcome}, and the ledger has no task.finished of it`, show),
    ];
  }
  if (last === outcome) return [];
  return [drift("state", task.id, `ended ${outcome}, and the ledger says ${last}`, show)];
}

/** A task that was handed over needs the handover that says so, whole. */
function watchHandover(checkout: Checkout, task: Task): Finding[] {
  if (task.outcome !== "handed_over") return [];
  const { candidates } = readWorkRecords(checkout, "handovers");
  const ofTask = candidates.filter(({ taskId }) => taskId === task.id);
  const [newest] = inLedgerOrder(checkout, ofTask);
  if (newest === undefined) {
    return [
      drift("handover", task.id, "was handed over, and no handover names it", "majordomus handover --list"),
    ];
  }
  const missing = missingSections(newest.record.body, checkout.settings.policy.handover.required_sections);
  if (missing.length === 0) return [];
  const path = shownPath(checkout.root, newest.path);
  return [
    drift(
      "handover",
      path,
      `missing or empty section(s): ${missing.join(", ")}`,
      `${showCommand(newest.path)} ${shellWord(path)}`,
    ),
  ];
}

async function watchActive(checkout: Checkout, task: Task, own: readonly string[]): Promise<Finding[]> {
  if (task.outcome !== "active") return [];
  const label = labelTask(checkout, task);
  const changed = changedSinceStart(checkout, task, label);
  const profile = await readProfile(checkout, profileNameOf(checkout, task.profile));
  const interval = intervalOf(checkout, profile.ok ? profile.value : undefined);
  return [
    ...(label.divergence === "diverged"
      ? [drift("state", task.id, `diverged: ${label.reason}`, "git log --oneline -n 10")]
      : []),
    ...(changed.ok
      ? judgeScope(DRIFT, task, divideByScope(checkout, task, changed.value, own))
      : [drift("scope", task.id, changed.error, "git status")]),
    judgeCheckpoint(DRIFT, task, interval, checkout.clock.now()),
  ];
}

async function watchTask(checkout: Checkout, own: readonly string[]): Promise<Finding[]> {
  const here = readTaskHere(checkout);
  if (here.kind === "none") return [];
  if (here.kind === "invalid") return [drift("state", "current.yaml", here.reason, "majordomus check")];
  if (here.kind === "foreign") {
    const message = `belongs to another checkout, ${here.task.worktree}; nothing is enforced`;
    return [judgement("INFO", "state", here.task.id, message)];
  }
  return [
    ...watchOutcome(checkout, here.task),
    ...watchHandover(checkout, here.task),
    ...(await watchActive(checkout, here.task, own)),
  ];
}

/** Records that still resolve here although their age has made them history; those of a task that ended are done with. */
function watchOffers(checkout: Checkout): Finding[] {
  const shelf = new RecordShelf(checkout);
  const moment = new Moment(checkout.repository, checkout.head);
  return (["handovers", "checkpoints"] as const).flatMap((kind) => {
    const found = shelf.newest(kind);
    if (found === undefined) return [];
    const { record } = found.candidate;
    if (record.task_id !== "none" && readTaskLines(checkout, record.task_id).finished.length > 0) return [];
    const { history, path, freshness, freshnessReason } = labelRecord(checkout, found, moment);
    if (!history) return [];
    const message = `still resolves here, and is ${freshness}: ${freshnessReason}`;
    return [drift("records", path, message, `${showCommand(found.candidate.path)} ${shellWord(path)}`)];
  });
}

function watchEpisodes(checkout: Checkout): Finding[] {
  return readRoster(checkout).entries.flatMap((entry) => {
    const reason = strandingOf(entry)?.reason;
    if (reason === undefined) return [];
    return [
      drift("episodes", entry.key, `${entry.sessionId}: ${reason}`, "majordomus recover episodes --check"),
    ];
  });
}

/** Hooks that are installed and yet say nothing, or could not. */
function watchHooks(checkout: Checkout): Finding[] {
  const { installed, findings, silence } = readHooksHere(checkout);
  if (!installed) return [];
  return findings
    .filter((finding) => finding.level === "FAIL" || finding === silence)
    .map((finding) => ({ ...finding, level: DRIFT }));
}

/**
 * What has drifted apart since it was right (work.md, watch), and what has not. A store that cannot be read has
 * drifted, and the others are watched.
 *
 * @param own directories outside the layer that the program writes by itself.
 * @param others watch the stores of other domains, by their category: health may not know them.
 */
export async function watchCheckout(
  checkout: Checkout,
  own: readonly string[],
  others: Readonly<Record<string, () => Finding[]>> = {},
): Promise<Finding[]> {
  const readings = new Readings(checkout.root, DRIFT);
  const part = (category: string, judge: () => Finding[]): Finding[] =>
    readings.attempt(category, judge) ?? [];
  const found = [
    ...((await readings.attemptLater("state", () => watchTask(checkout, own))) ?? []),
    ...part("questions", () => judgeQuestionForm(DRIFT, readQuestionIndex(checkout))),
    ...part("ledger", () => {
      const ledger = judgeLedger(DRIFT, checkout);
      return [...ledger.findings, ...judgeLedgerLength(DRIFT, checkout, ledger.lines)];
    }),
    ...part("records", () => judgeRetention(DRIFT, checkout)),
    ...part("records", () => watchOffers(checkout)),
    ...part("episodes", () => watchEpisodes(checkout)),
    ...part("prompts", () => judgePrompts(DRIFT, checkout)),
    ...part("hooks", () => watchHooks(checkout)),
    ...Object.entries(others).flatMap(([category, judge]) => part(category, judge)),
  ];
  // Nothing else here looks at what a clone receives: whether it can be read at all is watched.
  readings.attempt("records", () => listDirectory(checkout.layout.sessions));
  return [...found, ...readings.findings];
}
