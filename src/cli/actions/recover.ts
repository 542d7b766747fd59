import type { ExitStatus } from "../../core/base/error.ts";
import { EXIT } from "../../core/base/error.ts";
import { recoverApply, recoverPlan } from "../../core/capabilities/recover.ts";
import type {
  RecoverPlanAnswer,
  RecoveryAction,
  RecoverySubject,
} from "../../core/episode/recovery-answers.ts";
import { ask } from "../ask.ts";
import type { CommandContext } from "../declaration.ts";
import type { Output } from "../output.ts";

export interface RecoverRequest {
  subject: RecoverySubject;
  older_than: string | undefined;
  /** False: only say what would be done. */
  apply: boolean;
  /** Something to do is a finding: asked as a check, or of a subject that acts. */
  check: boolean;
}

function showAction(output: Output, action: RecoveryAction): void {
  output.line(`${action.kind}: ${action.subject} — ${action.reason}`);
  for (const line of action.evidence) output.line(`  ${line}`);
  const facts: [string, readonly string[] | undefined][] = [
    ["keeps", action.kept],
    ["lost", action.lost],
    ["writes", action.writes],
    ["removes", action.removes],
  ];
  for (const [word, values] of facts) for (const value of values ?? []) output.line(`  ${word} ${value}`);
}

function showPlan(output: Output, { actions, skipped }: RecoverPlanAnswer): void {
  for (const action of actions) showAction(output, action);
  for (const { subject, reason } of skipped) output.line(`skipped: ${subject} — ${reason}`);
}

function skippedText({ skipped }: RecoverPlanAnswer): string {
  return skipped.length === 0 ? "" : `; skipped ${skipped.length} candidate(s)`;
}

async function planOnly(context: CommandContext, request: RecoverRequest): Promise<ExitStatus> {
  const { output } = context;
  const { subject, older_than } = request;
  const plan = await ask(context, recoverPlan, { subject, older_than });
  const status = request.check && plan.actions.length > 0 ? EXIT.finding : EXIT.ok;
  if (context.json) {
    output.json(plan);
    return status;
  }
  showPlan(output, plan);
  if (subject === "status" && plan.actions.length > 0) output.line(`balance: ${plan.balance.note}`);
  const skipped = skippedText(plan);
  if (plan.actions.length === 0) output.line(`nothing to recover; ${plan.balance.note}${skipped}`);
  else output.line(`check: ${plan.actions.length} action(s) would be taken${skipped}`);
  return status;
}

async function applyPlan(context: CommandContext, request: RecoverRequest): Promise<ExitStatus> {
  const { output } = context;
  const { subject, older_than } = request;
  const answer = await ask(context, recoverApply, {
    subject,
    older_than,
    only: undefined,
    expect: undefined,
  });
  const status = answer.failed.length > 0 ? EXIT.finding : EXIT.ok;
  if (context.json) {
    output.json(answer);
    return status;
  }
  showPlan(output, answer.plan);
  for (const { message, wrote } of answer.performed) {
    output.line(wrote === undefined ? message : `${message}: ${wrote}`);
  }
  for (const { id, reason } of answer.failed) output.line(`failed: ${id} — ${reason}`);
  const skipped = skippedText(answer.plan);
  if (answer.performed.length === 0 && answer.failed.length === 0) {
    output.line(`nothing to recover; ${answer.plan.balance.note}${skipped}`);
  } else {
    const left = answer.failed.length === 0 ? "" : `; ${answer.failed.length} failed, run it again`;
    output.line(`recovered: ${answer.performed.length} action(s)${left}${skipped}`);
  }
  return status;
}

/**
 * Shows or performs what recovery would do (records.md 13.1).
 *
 * @returns 10 when a check found something to do, or an action failed.
 */
export function recoverCheckout(context: CommandContext, request: RecoverRequest): Promise<ExitStatus> {
  return request.apply ? applyPlan(context, request) : planOnly(context, request);
}
