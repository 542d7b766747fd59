import { ageText } from "../base/time.ts";
import { labelRecord, NEXT_ACTION } from "../ledger/labelled-record.ts";
import type { LabelledRecord } from "../ledger/labelled-record.ts";
import type { ResolvedRecord } from "../ledger/work-records.ts";
import { withoutSection } from "../records/body-sections.ts";
import type { Section } from "./document.ts";
import { DROP_RANK, quotedLine, row, safe } from "./request.ts";
import type { ContextSources } from "./request.ts";

/** The sentence for a reader who might trust a record that is not about this commit. */
export function divergenceWarning({ divergence, divergenceReason }: LabelledRecord): string | undefined {
  if (divergence === "diverged") {
    return `WARNING: ${safe(divergenceReason)}; history was rewritten: trust git, not the record`;
  }
  if (divergence === "different_context")
    return `WARNING: ${safe(divergenceReason)}: it is not about this work`;
  return undefined;
}

function labelLines(record: LabelledRecord): string[] {
  const warning = divergenceWarning(record);
  return [
    row("record", record.path),
    row("match", record.tier ?? "none"),
    row("divergence", `${record.divergence} — ${record.divergenceReason}`),
    row("freshness", `${record.freshness} — ${record.freshnessReason}`),
    row("task", record.record.task_id),
    ...(warning === undefined ? [] : [warning]),
  ];
}

function pointerLines(record: LabelledRecord): string[] {
  const age = ageText(record.ageMinutes);
  return [
    safe(`${record.tier ?? "none"}, ${record.divergence}, ${record.freshness}, ${age}`),
    safe(`body omitted for budget — read ${record.path}`),
  ];
}

function bodyLines(record: LabelledRecord): string[] {
  return withoutSection(record.record.body, record.history ? NEXT_ACTION : "").map(quotedLine);
}

function recordSection(
  sources: ContextSources,
  id: "checkpoint" | "handover",
  heading: string,
  found: ResolvedRecord | undefined,
): Section[] {
  if (found === undefined) {
    sources.excluded.push({ item: id, reason: "none resolves here" });
    return [];
  }
  const record = labelRecord(sources.checkout, found, sources.moment);
  const historical = record.history
    ? [`HISTORICAL: the record is ${record.freshness}; its next action is not shown`]
    : [];
  if (record.history) {
    sources.excluded.push({ item: `${id} next action`, reason: `the record is ${record.freshness}` });
  }
  return [
    {
      id,
      heading,
      lines: [...labelLines(record), ...historical, "", ...bodyLines(record)],
      dropRank: DROP_RANK[id],
      degraded: [...pointerLines(record), ...historical],
    },
  ];
}

/** The newest checkpoint that resolves here, where the profile wants the current state. */
export function checkpointSection(sources: ContextSources): Section[] {
  const { profile, shelf, task, excluded } = sources;
  if (profile === undefined) return [];
  if (!profile.context.current_state) {
    excluded.push({ item: "checkpoint", reason: `the profile ${safe(profile.name)} leaves it out` });
    return [];
  }
  const found = shelf.newest("checkpoints", task?.id);
  return recordSection(sources, "checkpoint", "LATEST CHECKPOINT", found);
}

/** The handover that resolves here: one of the task before any other. */
export function handoverSection(sources: ContextSources): Section[] {
  const found = sources.shelf.newest("handovers", sources.task?.id);
  return recordSection(sources, "handover", "LATEST COMPATIBLE HANDOVER", found);
}

/** Names the files in a record's place that are none. */
export function excludeSkipped({ shelf, excluded, profile }: ContextSources): void {
  const kinds =
    profile?.context.current_state === true
      ? (["handovers", "checkpoints"] as const)
      : (["handovers"] as const);
  for (const kind of kinds) {
    const skipped = shelf.skipped(kind).length;
    if (skipped > 0)
      excluded.push({ item: `${skipped} file(s) among the ${kind}`, reason: "are no records" });
  }
}
