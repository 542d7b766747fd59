import { join } from "node:path";
import type { Cancellation } from "../../base/cancellation.ts";
import { EXIT, MajordomusError } from "../../base/error.ts";
import type { Checkout } from "../../checkout/checkout.ts";
import { shownPath } from "../../checkout/shown-path.ts";
import { makeDirectory, writeAtomic } from "../../fs/write.ts";
import { recordEvent } from "../../ledger/record-event.ts";
import type { Task } from "../../records/task.ts";
import type { FinishAnswer, FinishInput, FinishOutcome, Verification } from "../answers.ts";
import { judgement } from "../judgement.ts";
import { readTaskLines } from "../task-lines.ts";
import { changeTask, taskChangedMeanwhile } from "./change-task.ts";
import { notBinding } from "./check.ts";
import { judgeContract, SELECTABLE_CLAUSES, termsOf } from "./finish-clauses.ts";
import type { Clause, FinishFacts, FinishTerms } from "./finish-clauses.ts";
import { gatherFinishFacts, scopeFacts } from "./finish-facts.ts";
import { profileNameOf, readProfile } from "./profile-here.ts";
import { runVerification } from "./run-verification.ts";
import { readTaskHere } from "../../records/task.ts";
import { labelTask } from "./task-here.ts";
import type { TaskHere } from "../../records/task.ts";

/** What a finish runs with beside its input. */
export interface FinishCompany {
  /** The open episode that the ledger line is stamped with. */
  session: string | undefined;
  signal: Cancellation;
  /** Directories outside the layer that the program writes by itself. */
  own: readonly string[];
}

/** More than the longest test run that somebody would wait for. */
const VERIFY_MILLISECONDS = 60 * 60 * 1000;
const CHECKED = ["scope_respected", "state_updated"];

async function readTerms(checkout: Checkout, task: Task): Promise<FinishTerms> {
  const name = profileNameOf(checkout, task.profile);
  const profile = await readProfile(checkout, name);
  if (!profile.ok) throw unusableTerms("profile.unusable", name, profile.error);
  const { terms, unknown } = termsOf(checkout.settings.policy, profile.value);
  const [stranger] = unknown;
  if (stranger === undefined) return terms;
  const known = SELECTABLE_CLAUSES.join(", ");
  throw unusableTerms(
    "policy.finish_requires",
    `verification.finish_requires: ${stranger}`,
    `is no clause of the contract; it knows ${known}`,
  );
}

function unusableTerms(code: string, subject: string, message: string): MajordomusError {
  return new MajordomusError({ code, exit: EXIT.finding, subject, message, remedy: "nothing was written" });
}

function missing(here: Extract<TaskHere, { kind: "none" | "invalid" }>, path: string): MajordomusError {
  return new MajordomusError({
    code: here.kind === "none" ? "task.absent" : "task.unreadable",
    exit: EXIT.missing,
    subject: here.kind === "none" ? "task" : path,
    message: here.kind === "none" ? "there is none in this checkout" : here.reason,
  });
}

/** A check judges scope and state: a command that never ran, or a note that nobody read, would look accepted. */
function refuseUnjudged({ verify_command: command, note }: FinishInput): void {
  const given = command === undefined ? (note === undefined ? undefined : "note") : "verify_command";
  if (given === undefined) return;
  throw new MajordomusError({
    code: "argument",
    exit: EXIT.usage,
    subject: given,
    message: "says nothing beside check, which judges scope and state alone",
  });
}

/** Scope and state alone, for somebody who wants to know early; never refuses for want of a task. */
async function checkOnly(checkout: Checkout, here: TaskHere, own: readonly string[]): Promise<FinishAnswer> {
  const nothing = (subject: string, message: string): FinishAnswer => ({
    schema: 1,
    state: "nothing",
    findings: [judgement("INFO", "state", subject, `nothing to enforce: ${message}`)],
    unmet: 0,
  });
  if (here.kind === "none") return nothing("task", "there is none in this checkout");
  if (here.kind === "invalid") throw missing(here, checkout.layout.task);
  const { task } = here;
  if (here.kind === "foreign") return nothing(task.id, `it belongs to another checkout, ${task.worktree}`);
  if (task.outcome !== "active") return nothing(task.id, `it is ${task.outcome}`);
  const terms = await readTerms(checkout, task);
  const label = labelTask(checkout, task);
  const facts: FinishFacts = {
    outcome: "completed",
    label,
    changed: scopeFacts(checkout, task, label, own),
    verify: undefined,
    blockers: { open: [] },
    note: undefined,
    decided: false,
  };
  const clauses = judgeContract(task.id, facts, terms, CHECKED);
  return { ...reportOf(clauses), state: "checked", task_id: task.id };
}

function reportOf(clauses: readonly Clause[]): Pick<FinishAnswer, "schema" | "findings" | "unmet"> {
  return {
    schema: 1,
    findings: clauses.map(({ finding }) => finding),
    unmet: clauses.filter(({ verdict }) => verdict === "fail").length,
  };
}

/**
 * Writes the end of a task: the note, the ledger line, the outcome, in that order, so that a run that was
 * killed leaves an active task, and the next one completes it without a second line.
 */
function writeFinish(
  checkout: Checkout,
  task: Task,
  end: {
    outcome: FinishOutcome;
    contract: Record<string, string>;
    verify: Verification | undefined;
    note: string | undefined;
    session: string | undefined;
  },
): { note?: string; resumed?: true } {
  const { outcome, verify, session } = end;
  const path = join(checkout.layout.completed, `${task.id}.md`);
  let resumed = false;
  changeTask(checkout, task.id, (standing) => {
    if (standing.outcome !== "active") throw taskChangedMeanwhile(task.id);
    const { checkpoints, finished } = readTaskLines(checkout, task.id);
    if (end.note !== undefined) {
      makeDirectory(checkout.layout.completed);
      writeAtomic(path, end.note.endsWith("\n") ? end.note : `${end.note}\n`);
    }
    resumed = finished.at(-1) === outcome;
    if (!resumed) {
      const ran =
        verify === undefined ? null : { command: verify.command, exit: verify.exit, seconds: verify.seconds };
      recordEvent(
        checkout,
        "task.finished",
        { task_id: task.id, outcome, contract: end.contract, verify: ran, checkpoints },
        { session },
      );
    }
    return { outcome };
  });
  return {
    ...(end.note === undefined ? {} : { note: shownPath(checkout.root, path) }),
    ...(resumed ? { resumed: true } : {}),
  };
}

/**
 * Ends the task of this checkout, if it keeps the contract that policy and profile ask for (work.md, finish).
 * Every clause is judged; when one fails nothing is written.
 *
 * @throws MajordomusError 12 without a task, 15 for one that is not active or not of this checkout, 2 without
 *   an outcome, 10 for a policy or profile that cannot be followed.
 */
export async function finishTask(
  checkout: Checkout,
  input: FinishInput,
  company: FinishCompany,
): Promise<FinishAnswer> {
  if (input.check === true) refuseUnjudged(input);
  const here = readTaskHere(checkout);
  if (input.check === true) return checkOnly(checkout, here, company.own);
  const { outcome } = input;
  if (outcome === undefined) {
    throw new MajordomusError({
      code: "argument",
      exit: EXIT.usage,
      subject: "outcome",
      message: "is wanted",
    });
  }
  if (here.kind === "none" || here.kind === "invalid") throw missing(here, checkout.layout.task);
  const { task } = here;
  if (here.kind === "foreign" || task.outcome !== "active") throw notBinding(task, here.kind);
  const terms = await readTerms(checkout, task);
  const verify = await verifyFor(checkout, outcome, input, company.signal);
  // What the command has changed is judged too.
  const label = labelTask(checkout, task);
  const facts = gatherFinishFacts(checkout, task, {
    outcome,
    label,
    changed: scopeFacts(checkout, task, label, company.own),
    verify,
    note: input.note,
  });
  const clauses = judgeContract(task.id, facts, terms);
  const report = {
    ...reportOf(clauses),
    task_id: task.id,
    outcome,
    ...(verify === undefined ? {} : { verify }),
  };
  if (report.unmet > 0) return { ...report, state: "refused" };
  const written = writeFinish(checkout, task, {
    outcome,
    contract: Object.fromEntries(clauses.map(({ id, verdict }) => [id, verdict])),
    verify,
    note: facts.note?.body,
    session: company.session,
  });
  return { ...report, ...written, state: "finished" };
}

async function verifyFor(
  { root, environment }: Checkout,
  outcome: FinishOutcome,
  { verify_command: command }: FinishInput,
  signal: Cancellation,
): Promise<Verification | undefined> {
  if (outcome !== "completed" || command === undefined) return undefined;
  return runVerification({
    command,
    directory: root,
    environment,
    timeoutMilliseconds: VERIFY_MILLISECONDS,
    signal,
  });
}
