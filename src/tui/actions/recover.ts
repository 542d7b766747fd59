import { RecoverApplyAnswer, RecoverPlanAnswer } from "../../core/episode/recovery-answers.ts";
import type { Desk } from "../desk.ts";
import { enterMode, say } from "../desk.ts";
import type { Question } from "../mode.ts";
import type { Row } from "../model/rows.ts";
import { counted, shortPath } from "../model/names.ts";
import { currentRow } from "../row-source.ts";
import { chosenRows } from "./chosen-rows.ts";
import { ROW_KIND } from "../places.ts";
import { focusedPane } from "../store.ts";
import { runWork } from "./work.ts";

type Subject = "episodes" | "all";
type RecoverQuestion = Extract<Question, { kind: "recover" }>;

/** Which of a plan's actions the rows stand for. */
function actionsFor(plan: RecoverPlanAnswer, rows: readonly Row[]): string[] {
  const wanted = new Set(
    rows.map((row) =>
      row.kind === "episode" ? row.episode.session_id : row.kind === "action" ? row.action.id : "",
    ),
  );
  return plan.actions
    .filter(
      (action) => wanted.has(action.id) || (action.session_id !== undefined && wanted.has(action.session_id)),
    )
    .map((action) => action.id);
}

function whyNot(plan: RecoverPlanAnswer, row: Row): string {
  const session =
    row.kind === "episode" ? row.episode.session_id : row.kind === "skipped" ? row.subject : undefined;
  const skipped = plan.skipped.find((one) => session !== undefined && one.subject.includes(session));
  if (skipped !== undefined) return `not recovered: ${skipped.reason}`;
  return session === undefined ? "there is nothing to recover here" : `${session} needs no recovery`;
}

async function loadPlan(desk: Desk, root: string, subject: Subject): Promise<RecoverPlanAnswer | undefined> {
  const work = {
    what: "reading the plan",
    writes: false,
    root,
    capability: "recover.plan",
    input: { subject },
  };
  const value = await runWork(desk, work);
  if (value === undefined) return undefined;
  const plan = RecoverPlanAnswer.safeParse(value);
  if (plan.success) return plan.data;
  say(desk, "bad", "recover.plan answered in an unknown form");
  return undefined;
}

function subjectHere(desk: Desk): Subject {
  return ROW_KIND[focusedPane(desk.store.getState())] === "recovery" ? "all" : "episodes";
}

/** Shows what recovery would do to the chosen rows. */
export async function askToRecover(desk: Desk): Promise<void> {
  const rows = chosenRows(desk);
  const [first] = rows;
  if (first === undefined) return;
  const subject = subjectHere(desk);
  const plan = await loadPlan(desk, first.root, subject);
  if (plan === undefined) return;
  const only = actionsFor(plan, rows);
  if (only.length === 0) return say(desk, "warn", whyNot(plan, first));
  enterMode(desk, {
    kind: "confirm",
    top: 0,
    question: { kind: "recover", root: first.root, subject, plan, only, changed: false },
  });
}

/** Shows everything that recovery would do in this repository. */
export async function askToRecoverAll(desk: Desk): Promise<void> {
  const state = desk.store.getState();
  const root = currentRow(state, desk.rowsOf)?.root ?? state.roots[0];
  if (root === undefined) return;
  const subject = subjectHere(desk);
  const plan = await loadPlan(desk, root, subject);
  if (plan === undefined) return;
  if (plan.actions.length === 0) return say(desk, "plain", "nothing to recover");
  const only = plan.actions.map((action) => action.id);
  enterMode(desk, {
    kind: "confirm",
    top: 0,
    question: { kind: "recover", root, subject, plan, only, changed: false },
  });
}

function report(desk: Desk, answer: RecoverApplyAnswer): void {
  const { performed, failed } = answer;
  const [first] = performed;
  const failures = failed.map((one) => `${one.id}: ${one.reason}`).join("; ");
  const where =
    first?.wrote === undefined ? "" : `, wrote ${shortPath(first.wrote, desk.environment["HOME"])}`;
  const many = performed.length > 1 ? ` and ${counted(performed.length - 1, "more repair")}` : "";
  const done = first === undefined ? "" : `${first.message}${where}${many}`;
  if (failed.length > 0)
    return say(desk, "bad", [done, failures].filter((part) => part !== "").join("; failed: "));
  say(desk, performed.length > 0 ? "good" : "plain", done === "" ? "nothing to recover" : done);
}

/** Does what was confirmed; a plan that is no longer the one that was shown is shown again instead. */
export async function applyRecovery(desk: Desk, question: RecoverQuestion): Promise<void> {
  const { root, subject, plan, only } = question;
  const input = { subject, only: [...only], expect: plan.digest };
  const work = { what: "recovering", writes: true, root, capability: "recover.apply", input };
  const value = await runWork(desk, work);
  desk.refresh(root);
  if (value === undefined) return;
  const answer = RecoverApplyAnswer.safeParse(value);
  if (!answer.success) return say(desk, "bad", "recover.apply answered in an unknown form");
  if (answer.data.state !== "changed") {
    desk.store.setState({ marks: new Set() });
    return report(desk, answer.data);
  }
  const left = new Set(answer.data.plan.actions.map((action) => action.id));
  const still = only.filter((id) => left.has(id));
  enterMode(desk, {
    kind: "confirm",
    top: 0,
    question: { ...question, plan: answer.data.plan, only: still, changed: true },
  });
}
