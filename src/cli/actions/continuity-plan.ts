import type { ExitStatus } from "../../core/base/error.ts";
import { EXIT } from "../../core/base/error.ts";
import { continuityPlan, continuityResume } from "../../core/capabilities/continuity.ts";
import type { Continuation, PlanAnswer, PlanStatus } from "../../core/continuity/plan-answer.ts";
import { ask } from "../ask.ts";
import type { CommandContext } from "../declaration.ts";
import type { Output } from "../output.ts";
import { recordText, short, showRows } from "./continuity-text.ts";

const VERDICTS: Readonly<Record<PlanStatus, string>> = {
  ready: "can be resumed",
  ready_with_warnings: "can be resumed, with warnings",
  requires_source_update: "the source must be brought up first",
  conflict: "a person must decide",
  choose_record: "several wait; name one",
  nothing_to_resume: "nothing waits",
  refused: "is not trusted here",
};

/** The exit status of a plan (records.md 6; decisions.md 5). */
function statusOfPlan({ status, blockers }: PlanAnswer): ExitStatus {
  if (status === "ready" || status === "ready_with_warnings") return EXIT.ok;
  if (status !== "nothing_to_resume") return EXIT.finding;
  if (blockers.length === 0) return EXIT.ok;
  return blockers.some(({ code }) => code === "record_unknown") ? EXIT.missing : EXIT.finding;
}

/** The ways in which a line was gone on with, one below the other. */
export function showContinuations(output: Output, continuations: readonly Continuation[] | undefined): void {
  for (const way of continuations ?? []) {
    const marks = [...(way.chosen ? ["this one"] : []), ...(way.here ? ["this branch stands on it"] : [])];
    output.line(
      `continued:   ${recordText(way.record)}${marks.length === 0 ? "" : ` <- ${marks.join(", ")}`}`,
    );
    output.line(
      `  from       ${way.record.branch ?? "no branch"} at ${way.record.head?.slice(0, 12) ?? "no commit"}`,
    );
    for (const [word, text] of [
      ["objective", way.objective],
      ["next", way.next_action],
    ] as const) {
      for (const [index, line] of (text ?? "").split("\n").entries()) {
        if (line !== "") output.line(`  ${(index === 0 ? word : "").padEnd(10)} ${line}`);
      }
    }
    for (const title of way.decisions_only) output.line(`  only here  ${title}`);
  }
}

function showSource(output: Output, { source, lineage, task, milestone }: PlanAnswer): void {
  if (source === undefined) return;
  const there = `${source.expected_branch ?? "no branch"} at ${source.expected_head?.slice(0, 12) ?? "no commit"}`;
  const here = `${source.local_branch ?? "no branch"} at ${source.local_head?.slice(0, 12) ?? "no commit"}`;
  showRows(output, [
    ["Source", `${there} (${source.relation}); here ${here}`],
    ["Line", lineage === undefined ? undefined : `${short(lineage.line)} (${lineage.state})`],
    ["Task", task?.title],
    ["Milestone", milestone],
  ]);
}

function showText(output: Output, label: string, text: string | undefined): void {
  if (text === undefined) return;
  output.line(`${label}:`);
  for (const line of text.split("\n")) output.line(`  ${line}`.trimEnd());
}

function showPlanText(output: Output, plan: PlanAnswer): void {
  output.line(`${plan.status}: ${VERDICTS[plan.status]}`);
  if (plan.record !== undefined) output.line(`Record:      ${recordText(plan.record)}`);
  for (const candidate of plan.candidates ?? []) output.line(`Candidate:   ${recordText(candidate)}`);
  showSource(output, plan);
  showText(output, "Objective", plan.objective);
  showText(output, "Current state", plan.current_state);
  showText(output, "Next action", plan.next_action);
  for (const title of plan.decisions ?? []) output.line(`Decision:    ${title}`);
  showContinuations(output, plan.continuations);
  for (const { code, message } of plan.blockers) output.line(`blocker ${code}: ${message}`);
  for (const { code, message } of plan.warnings) output.line(`warning ${code}: ${message}`);
  const { outranked_by: own } = plan;
  if (own !== undefined) output.line(`note: ${own.path} (${own.created_at}) ${own.message}`);
  for (const { command, reason } of plan.actions) output.line(`next: ${command}   # ${reason}`);
}

/** What a resume would do. */
export async function showPlan(context: CommandContext, record: string | undefined): Promise<ExitStatus> {
  const answer = await ask(context, continuityPlan, { record });
  if (context.json) context.output.json(answer);
  else showPlanText(context.output, answer);
  return statusOfPlan(answer);
}

/** Resumes a record; 10 where it was not done, 12 where no such record is here. */
export async function resume(context: CommandContext, record: string | undefined): Promise<ExitStatus> {
  const { output, json } = context;
  const answer = await ask(context, continuityResume, { record });
  const planned = statusOfPlan(answer.plan);
  const status = answer.resumed ? EXIT.ok : planned === EXIT.missing ? planned : EXIT.finding;
  if (json) {
    output.json(answer);
    return status;
  }
  const { plan, handover, decisions_carried: carried } = answer;
  if (!answer.resumed) {
    output.line("not resumed; nothing was written");
    showPlanText(output, plan);
    return status;
  }
  for (const note of answer.notes ?? []) output.warn(note);
  const id = plan.record?.id ?? "";
  output.line(`resumed ${id} from ${plan.record?.device.label ?? ""}`);
  output.line(`handover:    ${handover ?? ""}`);
  output.line(`decisions:   ${carried} carried`);
  for (const { code, message } of plan.warnings) output.line(`warning ${code}: ${message}`);
  const { outranked_by: own } = plan;
  if (own !== undefined) output.line(`note: ${own.path} (${own.created_at}) ${own.message}`);
  for (const { command, reason } of plan.actions) output.line(`next: ${command}   # ${reason}`);
  output.line("next: majordomus handover --resolve   # shows what this checkout goes on from");
  return status;
}
