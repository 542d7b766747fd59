import { withAge } from "./age.ts";
import type { DetailContext } from "./detail-context.ts";
import { fact, factLines, textLines } from "./facts.ts";
import { hintLines } from "./hints.ts";
import { TRAVEL, TRUST_TONE } from "./labels.ts";
import { show, span } from "./line.ts";
import type { Line } from "./line.ts";
import { shortHead } from "./names.ts";
import { continuationLines, planFacts } from "./plan-facts.ts";
import type { RowOf } from "./rows.ts";

/** A travelling record: whose it is, what it says, and what resuming it here would do, with every reason. */
export function travelDetail(
  { record, standing }: RowOf<"travel">,
  { width, now, slices }: DetailContext,
): readonly Line[] {
  const answer = slices?.resumePlan.data;
  const hints = slices?.hints.data;
  const plan = answer?.record?.id === record.id ? answer : undefined;
  const { device, this_device: own, trust, changed_total: changed } = record;
  const { tone, says } = TRAVEL[standing];
  const ways = plan === undefined ? [] : continuationLines(plan, width);
  return [
    [
      span(show(device.label), "plain", true),
      span(own ? "  this machine" : "", "muted"),
      span(`  ${says}`, tone),
    ],
    ...fact("trust", trust.replaceAll("_", " "), width, TRUST_TONE[trust]),
    ...fact("published", withAge(record.published_at, now), width),
    ...fact("branch", [record.branch, shortHead(record.head)].filter(Boolean).join(" at "), width),
    ...hintLines(hints?.head === record.head ? hints : undefined, width),
    ...fact(
      "tree",
      record.working_tree === "dirty" ? `${changed} changed and not committed` : "clean",
      width,
    ),
    ...fact("issue", record.issue, width),
    ...(plan === undefined
      ? [...fact("task", record.task, width), ...fact("objective", record.objective, width)]
      : factLines(planFacts(plan), width)),
    ...(ways.length === 0 ? [] : [[], [span("gone on with in several ways", "warn")]]),
    ...ways.flatMap((line) => textLines(line, width)),
    ...fact("record", record.id, width, "muted"),
    ...fact("continues", record.parent, width, "muted"),
  ];
}
