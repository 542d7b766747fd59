import type { PlanAnswer } from "../../core/continuity/plan-answer.ts";
import type { Fact } from "./facts.ts";
import type { Tone } from "./line.ts";
import { shortHead } from "./names.ts";
import { sideBySide } from "./side-by-side.ts";

/** What the statuses of a plan say, and how they look. */
export const PLAN_STATUS: Readonly<Record<PlanAnswer["status"], { tone: Tone; says: string }>> = {
  ready: { tone: "good", says: "ready to be resumed here" },
  ready_with_warnings: { tone: "good", says: "ready, with warnings" },
  requires_source_update: { tone: "warn", says: "the source has to be brought here first" },
  conflict: { tone: "bad", says: "in conflict with what is here" },
  choose_record: { tone: "warn", says: "there are several: choose one" },
  nothing_to_resume: { tone: "muted", says: "nothing to resume" },
  refused: { tone: "bad", says: "refused" },
};

/** Whether a plan can be carried out. */
export function isReady({ status }: PlanAnswer): boolean {
  return status === "ready" || status === "ready_with_warnings";
}

function listed(label: string, texts: readonly string[], tone?: Tone): Fact[] {
  return texts.map((text, index) => ({
    label: index === 0 ? label : "",
    text,
    ...(tone === undefined ? {} : { tone }),
  }));
}

function sourceFacts({ source }: PlanAnswer): Fact[] {
  if (source === undefined) return [];
  const there = [source.expected_branch, shortHead(source.expected_head)].filter(Boolean).join(" at ");
  const here = [source.local_branch, shortHead(source.local_head)].filter(Boolean).join(" at ");
  const dirty = source.origin_dirty
    ? [`${source.origin_changed_total} changed there and not committed`, ...(source.origin_changed ?? [])]
    : [];
  return [
    { label: "made at", text: there },
    { label: "here", text: `${here}${source.local_dirty ? ", with changes" : ""}` },
    { label: "so it is", text: source.relation.replaceAll("_", " ") },
    ...listed("left there", dirty, "warn"),
  ];
}

/** Every reason of a plan, the ones that stand in the way first. */
export function planFacts(plan: PlanAnswer): Fact[] {
  const { status, blockers, warnings, actions, lineage, outranked_by: outranked } = plan;
  const { tone, says } = PLAN_STATUS[status];
  const reasons = (list: PlanAnswer["blockers"]): string[] =>
    list.map(({ code, message }) => `${code}: ${message}`);
  return [
    { label: "plan", text: says, tone },
    ...listed("stands in the way", reasons(blockers), "bad").map((fact, index) => ({
      ...fact,
      label: index === 0 ? "blocked by" : "",
    })),
    ...listed("warning", reasons(warnings), "warn"),
    ...(outranked === undefined
      ? []
      : [{ label: "outranked", text: `${outranked.path} ${outranked.message}`, tone: "warn" as const }]),
    ...(plan.objective === undefined ? [] : [{ label: "objective", text: plan.objective }]),
    ...(plan.current_state === undefined ? [] : [{ label: "state", text: plan.current_state }]),
    ...(plan.next_action === undefined
      ? []
      : [{ label: "next", text: plan.next_action, tone: "accent" as const }]),
    ...(plan.task === undefined ? [] : [{ label: "task", text: plan.task.title }]),
    ...sourceFacts(plan),
    ...(lineage === undefined
      ? []
      : [
          {
            label: "line",
            text: [lineage.state, lineage.relation].filter(Boolean).join(", and to where you are: "),
          },
        ]),
    ...listed("decisions", plan.decisions ?? []),
    ...(plan.restores.length === 0 ? [] : [{ label: "restores", text: plan.restores.join(", ") }]),
    ...(plan.recomputes.length === 0
      ? []
      : [{ label: "recomputes", text: plan.recomputes.join(", "), tone: "muted" as const }]),
    ...listed(
      "could run",
      actions.map(({ command, reason }) => `${command}  (${reason})`),
      "muted",
    ),
  ].map((fact) => ({ ...fact, text: fact.text.replaceAll("\n", " ") }));
}

/** All ways in which a line was gone on with, beside each other; nothing where there is but one. */
export function continuationLines(plan: PlanAnswer, width: number): string[] {
  const ways = plan.continuations ?? [];
  if (ways.length < 2) return [];
  const blocks = ways.map((way) => {
    const { record, chosen, here, objective, current_state, next_action, decisions_only } = way;
    const said = [chosen ? "this one" : "", here ? "you are here" : ""].filter((part) => part !== "");
    const paragraph = (label: string, text: string | undefined): string[] =>
      text === undefined ? [] : [`${label}: ${text.replaceAll("\n", " ")}`];
    return [
      [record.device.label, ...said].join(", "),
      [record.branch, shortHead(record.head), record.published_at].filter(Boolean).join(" "),
      ...paragraph("for", objective),
      ...paragraph("state", current_state),
      ...paragraph("next", next_action),
      ...decisions_only.map((title) => `decided only here: ${title}`),
    ];
  });
  return sideBySide(blocks, width);
}
