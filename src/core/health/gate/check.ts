import { EXIT, MajordomusError } from "../../base/error.ts";
import type { Checkout } from "../../checkout/checkout.ts";
import type { Finding } from "../../labels/terms.ts";
import type { Task } from "../../records/task.ts";
import type { ScopeClaims } from "../../labels/scope-overlap.ts";
import type { CheckAnswer, CheckInput } from "../answers.ts";
import { judgeDecisions } from "../judge-decisions.ts";
import { judgeLedger } from "../judge-ledger.ts";
import { judgeBlockers, judgeQuestionForm, readQuestionIndex } from "../judge-questions.ts";
import { judgement } from "../judgement.ts";
import { changedSinceStart } from "./changed-since.ts";
import { judgeCheckpoint } from "./judge-checkpoint.ts";
import { divideByScope, judgeScope } from "./judge-scope.ts";
import { moveCheckpoint } from "./move-checkpoint.ts";
import { intervalOf, profileNameOf, readProfile } from "./profile-here.ts";
import { readTaskHere } from "../../records/task.ts";
import { labelTask } from "./task-here.ts";
import type { TaskLabel } from "./task-here.ts";

/** What a check needs from other domains. */
export interface CheckCompany {
  /** Move the task's time of the last checkpoint, on behalf of this open episode. */
  checkpoint?: { session: string | undefined };
  /** Where a scope meets the active tasks of other worktrees. */
  overlaps: (scope: readonly string[]) => ScopeClaims;
  /** Directories outside the layer that the program writes by itself. */
  own: readonly string[];
  /** The integrity of the knowledge store. */
  knowledge: () => Finding[];
}

const REPRODUCE = "majordomus check";

/** How a label is judged in a check (work.md): what git cannot tell is warned of, never passed over. */
export function judgeLabel(task: Pick<Task, "id">, label: TaskLabel): Finding {
  const level = label.trusted ? "OK" : label.divergence === "unknown" ? "WARN" : "FAIL";
  const command = level === "OK" ? undefined : "git log --oneline -n 10";
  return judgement(level, "state", task.id, `${label.divergence}: ${label.reason}`, command);
}

async function judgeOwn(
  checkout: Checkout,
  task: Task,
  label: TaskLabel,
  own: readonly string[],
): Promise<Finding[]> {
  const changed = changedSinceStart(checkout, task, label);
  const scope = changed.ok
    ? judgeScope("FAIL", task, divideByScope(checkout, task, changed.value, own))
    : [judgement("FAIL", "scope", task.id, changed.error, "git status")];
  const name = profileNameOf(checkout, task.profile);
  const profile = await readProfile(checkout, name);
  const interval = intervalOf(checkout, profile.ok ? profile.value : undefined);
  return [
    judgeLabel(task, label),
    ...scope,
    ...(profile.ok ? [] : [judgement("FAIL", "profiles", name, profile.error, "majordomus doctor")]),
    judgeCheckpoint("WARN", task, interval, checkout.clock.now()),
  ];
}

function bystander(kind: "own" | "foreign", task: Task): Finding {
  const message =
    kind === "foreign"
      ? `belongs to another checkout, ${task.worktree}; nothing is enforced`
      : `is ${task.outcome}; nothing is enforced`;
  return judgement("INFO", "state", task.id, message);
}

/**
 * Judges the work of this checkout's task against what it promised, and the stores that the judgement rests
 * on; findings in the order of work.md. Writes nothing but a moved checkpoint, and that only when asked.
 *
 * @throws MajordomusError 12 without a task that can be read; 15 when a checkpoint is to be moved and the
 *   task is not an active one of this checkout.
 */
export async function checkWork(
  checkout: Checkout,
  input: CheckInput,
  company: CheckCompany,
): Promise<CheckAnswer> {
  const here = readTaskHere(checkout);
  if (here.kind === "none" || here.kind === "invalid") throw noTask(checkout, here);
  const { task } = here;
  const binding = here.kind === "own" && task.outcome === "active";
  const label = here.kind === "own" ? labelTask(checkout, task) : undefined;
  const questions = readQuestionIndex(checkout);
  const findings = [
    ...(binding && label !== undefined
      ? await judgeOwn(checkout, task, label, company.own)
      : [bystander(here.kind, task)]),
    ...judgeBlockers(questions, binding ? task.id : undefined),
    ...judgeDecisions(checkout),
    ...judgeLedger("FAIL", checkout).findings,
    ...judgeQuestionForm("FAIL", questions),
    ...company.knowledge(),
  ];
  if (company.checkpoint !== undefined && !binding) throw notBinding(task, here.kind);
  return {
    schema: 1,
    task: {
      id: task.id,
      title: task.title ?? task.task,
      outcome: task.outcome,
      profile: profileNameOf(checkout, task.profile),
      scope: task.scope,
      foreign: here.kind === "foreign",
      ...(label === undefined ? {} : { divergence: label.divergence, divergence_reason: label.reason }),
    },
    findings,
    ...(input.overlap === true ? claimsOf(company.overlaps(task.scope)) : {}),
    ...(company.checkpoint === undefined
      ? {}
      : { checkpoint_at: moveCheckpoint(checkout, task.id, company.checkpoint.session) }),
  };
}

function claimsOf({ overlaps, unread }: ScopeClaims): Pick<CheckAnswer, "overlaps" | "overlaps_unread"> {
  return { overlaps, ...(unread.length === 0 ? {} : { overlaps_unread: unread }) };
}

function noTask(
  checkout: Checkout,
  here: { kind: "none" } | { kind: "invalid"; reason: string },
): MajordomusError {
  return new MajordomusError({
    code: here.kind === "none" ? "task.absent" : "task.unreadable",
    exit: EXIT.missing,
    subject: here.kind === "none" ? "task" : checkout.layout.task,
    message: here.kind === "none" ? "there is none in this checkout" : here.reason,
    remedy:
      here.kind === "none" ? "begin one with `majordomus start`" : "put the file right, or move it away",
  });
}

/** A task that may not be written to from here. */
export function notBinding(task: Task, kind: "own" | "foreign"): MajordomusError {
  return new MajordomusError({
    code: kind === "foreign" ? "task.foreign" : "task.not_active",
    exit: EXIT.refused,
    subject: task.id,
    message:
      kind === "foreign" ? `belongs to another checkout, ${task.worktree}` : `is ${task.outcome}, not active`,
    remedy:
      kind === "foreign"
        ? "work on it there"
        : `begin the next with \`majordomus start\`; \`${REPRODUCE}\` shows this one`,
  });
}
