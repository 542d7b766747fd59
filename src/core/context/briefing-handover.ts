import { ageText } from "../base/time.ts";
import { nextActionOf } from "../ledger/labelled-record.ts";
import type { LabelledRecord } from "../ledger/labelled-record.ts";
import { clipBytes } from "../text/clip-bytes.ts";
import { inert } from "../text/inert.ts";
import { quote } from "./briefing-width.ts";
import type { Width } from "./briefing-width.ts";

const NEXT_ACTION_LINES = 12;
const PATH_BYTES = 200;

const WARNINGS: Partial<Record<LabelledRecord["divergence"], string>> = {
  diverged: "History was rewritten since: trust git, not the record.",
  different_context: "It was written on another branch: it is not about this work.",
};

/** How the record that resolves here is announced, current or historical (records.md 10, 6). */
export function handoverLines(handover: LabelledRecord | undefined, width: Width): string[] {
  if (handover === undefined) return ["No relevant handover for this worktree and branch."];
  const path = clipBytes(inert(handover.path), PATH_BYTES);
  const match = handover.tier ?? "none";
  const warning = WARNINGS[handover.divergence];
  const warnings = warning === undefined ? [] : [warning];
  if (handover.history) {
    return [
      `Historical handover ${path} (${match}, ${handover.divergence}).`,
      `It is ${handover.freshness}: ${clipBytes(inert(handover.freshnessReason), width.value)}.`,
      "It tells what was done then; what it says to do next is not passed on.",
      ...warnings,
    ];
  }
  const labels = [match, handover.divergence, handover.freshness, ageText(handover.ageMinutes)];
  return [`Handover ${path} (${labels.join(", ")}).`, ...warnings];
}

/**
 * What a current handover says to do next, within so many bytes; nothing of a historical one (promise 27).
 *
 * @param bytes what is left of the briefing's first bytes.
 */
export function nextActionLines(handover: LabelledRecord | undefined, width: Width, bytes: number): string[] {
  const next = handover && nextActionOf(handover);
  if (handover === undefined || next === undefined || "withheld" in next) return [];
  const path = clipBytes(inert(handover.path), PATH_BYTES);
  const left = (count: number): string => `  ... and ${count} more line(s) in ${path}`;
  const lines = ["Its Next Action:"];
  let room = bytes - Buffer.byteLength(lines.join("\n")) - 1 - Buffer.byteLength(left(next.lines.length)) - 1;
  let shown = 0;
  for (const text of next.lines.slice(0, NEXT_ACTION_LINES)) {
    const line = quote(text, width.line);
    room -= Buffer.byteLength(line) + 1;
    if (room < 0) break;
    lines.push(line);
    shown += 1;
  }
  const rest = next.lines.length - shown;
  return rest === 0 ? lines : [...lines, left(rest)];
}
