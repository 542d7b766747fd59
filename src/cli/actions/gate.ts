import type { ExitStatus } from "../../core/base/error.ts";
import { checkCheckpoint, checkRun, policyExplain } from "../../core/capabilities/gate.ts";
import type { ExplainAnswer } from "../../core/health/answers.ts";
import type { ScopeOverlap, UnreadClaim } from "../../core/labels/scope-overlap.ts";
import type { Finding } from "../../core/labels/terms.ts";
import { askIn, openHere } from "../ask.ts";
import type { CommandContext } from "../declaration.ts";
import { showFindings, statusOfFindings } from "../findings.ts";
import type { Output } from "../output.ts";
import { shellWord } from "../../core/text/shell-word.ts";

interface CheckOptions {
  checkpoint: boolean;
  explain: boolean;
  overlap: boolean;
}

function flatten(value: unknown, path: string): string[] {
  if (typeof value !== "object" || value === null) return [`${path}: ${String(value)}`];
  if (Array.isArray(value)) {
    const items = value.map((item) => (typeof item === "object" ? JSON.stringify(item) : String(item)));
    return [`${path}: [${items.join(", ")}]`];
  }
  return Object.entries(value).flatMap(([key, inner]) =>
    inner === undefined ? [] : flatten(inner, path === "" ? key : `${path}.${key}`),
  );
}

function showExplanation(output: Output, { profile, profile_name, chosen_by, policy }: ExplainAnswer): void {
  output.line(`profile ${profile_name}, chosen by the ${chosen_by}`);
  for (const line of flatten(profile, "")) output.line(`  ${line}`);
  output.line("policy");
  for (const line of flatten(policy, "")) output.line(`  ${line}`);
}

function overlapFinding({ worktree, task_id, task, path, relation, other }: ScopeOverlap): Finding {
  return {
    level: "INFO",
    category: "overlap",
    subject: path,
    message: `${relation} ${other} of ${task_id} (${task}) in ${worktree}`,
  };
}

function unreadFinding({ worktree, reason }: UnreadClaim): Finding {
  return {
    level: "WARN",
    category: "overlap",
    subject: worktree,
    message: `whether its task claims a path of this scope is unknown: its task record cannot be read: ${reason}`,
    reproduce: `majordomus check --repo ${shellWord(worktree)}`,
  };
}

/**
 * Judges the work of the task.
 *
 * @returns 10 when something fails.
 * @throws MajordomusError 12 without a task.
 */
export async function runCheck(context: CommandContext, options: CheckOptions): Promise<ExitStatus> {
  const capability = options.checkpoint ? checkCheckpoint : checkRun;
  const checkout = await openHere(context, capability.effect);
  if (options.explain) {
    const explained = await askIn(checkout, policyExplain, { profile: undefined });
    if (context.json) context.output.json(explained);
    else showExplanation(context.output, explained);
  }
  const answer = await askIn(checkout, capability, { overlap: options.overlap });
  const { overlaps: found = [], overlaps_unread: unread = [] } = answer;
  const overlaps = [...found.map(overlapFinding), ...unread.map(unreadFinding)];
  if (options.overlap && overlaps.length === 0) {
    overlaps.push({
      level: "OK",
      category: "overlap",
      subject: answer.task.id,
      message: "no active task of another worktree claims a path of its scope",
    });
  }
  showFindings(context, [...answer.findings, ...overlaps]);
  if (answer.checkpoint_at !== undefined && !context.json) {
    context.output.line(`checkpoint moved to ${answer.checkpoint_at}`);
  }
  return statusOfFindings(answer.findings);
}
