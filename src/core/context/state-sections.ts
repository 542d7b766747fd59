import { headText } from "../checkout/checkout.ts";
import { labelDivergence } from "../labels/divergence.ts";
import type { Section } from "./document.ts";
import { row, safe } from "./request.ts";
import type { ContextSources } from "./request.ts";

function frozenLines({ checkout, moment, frozen }: ContextSources): string[] {
  if (frozen === undefined) return [];
  const { divergence } = labelDivergence(frozen, checkout, (commit) => moment.ancestry(commit));
  const at = frozen.head.slice(0, 7);
  if (divergence === "exact") return [row("briefing", `exact at ${at}`)];
  if (divergence === "advanced") {
    const since = moment.since(frozen.head);
    const commits = since.state === "ok" ? String(since.commits.length) : "unknown";
    return [row("briefing", `advanced — ${commits} commit(s) since it was frozen at ${at}`)];
  }
  return [
    row("briefing", `${divergence} from ${at}`),
    "WARNING: what the worker was told at its start is not about this commit",
  ];
}

/** Where the repository stands, and how what was recorded stands to it. */
export function gitSection(sources: ContextSources): Section {
  const { checkout, moment, record: task } = sources;
  const tree = moment.tree();
  const label =
    task &&
    labelDivergence({ branch: task.branch, head: task.head }, checkout, (commit) => moment.ancestry(commit));
  return {
    id: "git",
    heading: "GIT",
    lines: [
      row("repository", checkout.root),
      row("branch", checkout.branch),
      row("head", headText(checkout)),
      row("working_tree", tree.ok ? tree.value.state : "unknown"),
      ...(task === undefined || label === undefined
        ? []
        : [row("task_record", `${label.divergence} (recorded head ${task.head.slice(0, 7)})`)]),
      ...frozenLines(sources),
    ],
  };
}

/** What is being worked on. */
export function taskSection(sources: ContextSources): Section[] {
  const { record, task, taskDoubt, profile, excluded } = sources;
  if (taskDoubt !== undefined) {
    excluded.push({ item: "task", reason: safe(taskDoubt) });
    return [{ id: "task", heading: "TASK", lines: ["- unknown: the task record cannot be read"] }];
  }
  if (profile?.context.task === false) {
    excluded.push({ item: "task", reason: `the profile ${safe(profile.name)} leaves it out` });
    return [];
  }
  if (record === undefined) return [{ id: "task", heading: "TASK", lines: ["- none in this checkout"] }];
  if (task === undefined) {
    const ended = `- none is active; the last one, ${safe(record.id)}, ended ${record.outcome}`;
    return [{ id: "task", heading: "TASK", lines: [ended] }];
  }
  const lines = [
    row("id", record.id),
    row("task", record.title ?? record.task),
    row("outcome", record.outcome),
    row("owner", record.owner),
    row("scope", record.scope.join(", ")),
    row("started_at", record.started_at),
    row("checkpoint", record.checkpoint_at),
  ];
  return [{ id: "task", heading: "TASK", lines }];
}

function yes(flag: boolean): string {
  return flag ? "yes" : "no";
}

/** How the work is to be done. */
export function profileSection({ profile, checkout, excluded }: ContextSources): Section[] {
  if (profile === undefined) {
    excluded.push({ item: "profile", reason: "it cannot be read" });
    return [];
  }
  const { verification } = profile;
  const interval =
    profile.checkpoint_interval ?? checkout.settings.policy.profiles.checkpoint_interval_default;
  const escalation = profile.effort_escalation;
  const lines = [
    row("capability", profile.capability),
    row(
      "effort",
      escalation === undefined
        ? profile.effort
        : `${profile.effort}, ${escalation.to} after ${escalation.after_blocked_attempts} blocked attempt(s)`,
    ),
    row("writing", `${profile.verbosity}, ${profile.presentation}`),
    row(
      "verification",
      `command ${yes(verification.verify_command_required)}, regression test ${yes(verification.regression_test_required)}, decision ${yes(verification.decision_record_required)}`,
    ),
    row("checkpoint", `every ${interval}`),
    ...(profile.output_contract.length === 0 ? [] : [row("output", profile.output_contract.join(", "))]),
  ];
  return [{ id: "profile", heading: `PROFILE ${safe(profile.name)}`, lines }];
}
