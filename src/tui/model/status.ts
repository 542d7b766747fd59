import type { Finding } from "../../core/labels/terms.ts";
import { clipMiddle } from "../cells.ts";
import { ageOf } from "./age.ts";
import { divergenceSpan, freshnessSpan } from "./labels.ts";
import { joinLines, show, span } from "./line.ts";
import type { Line } from "./line.ts";
import { counted } from "./names.ts";
import { grouped } from "./numbers.ts";
import { waitingLines } from "./waiting.ts";
import type { Slices } from "../slices.ts";
import type { ConsoleState } from "../store.ts";

const MESSAGE_TONE = { good: "good", warn: "warn", bad: "bad", plain: "plain" } as const;

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*[\r\n]+\s*/g, " ");
}

/** How much waits for a person to review. */
function reviewLine(slices: Slices | undefined): Line {
  const waiting = slices?.candidates.data?.awaiting ?? 0;
  return waiting === 0 ? [] : [span("review ", "muted"), span(grouped(waiting))];
}

/** How the doctor judged, in two numbers. */
function healthLine(slices: Slices | undefined): Line {
  const findings = slices?.doctor.data?.findings;
  if (findings === undefined) return [];
  const many = (...levels: Finding["level"][]): number =>
    findings.filter(({ level }) => levels.includes(level)).length;
  const wrong = many("FAIL");
  const odd = many("WARN", "DRIFT");
  const counts: readonly Line[] = [
    wrong === 0 ? [] : [span(`${wrong} FAIL`, "bad")],
    odd === 0 ? [] : [span(`${odd} WARN`, "warn")],
  ];
  return [
    span("health ", "muted"),
    ...(wrong + odd === 0 ? [span("ok", "good")] : joinLines(counts, span(" "))),
  ];
}

/** The task, what blocks it, and the handover that would be resumed from: the worker's answer in one row. */
function workLine(state: ConsoleState, root: string): Line {
  const slices = state.repositories[root];
  const slice = slices?.state;
  const [waiting] = waitingLines(state, "state");
  if (slice?.state === "failed" && waiting !== undefined) return waiting;
  const answer = slice?.data;
  if (answer === undefined) return waiting ?? [];
  const { task, blockers, handover } = answer;
  const parts: Line[] = [];
  if (task !== undefined) {
    const rest = [...(task.scope ?? []), task.profile].filter((part) => part !== undefined).map(show);
    parts.push([
      span("task ", "muted"),
      span(show(oneLine(task.title))),
      ...rest.map((part) => span(` · ${part}`, "muted")),
    ]);
  }
  if ((blockers ?? []).length > 0) parts.push([span(counted(blockers?.length ?? 0, "blocker"), "warn")]);
  if (state.view === "overview") parts.push(reviewLine(slices), healthLine(slices));
  if (handover !== undefined) {
    const age = ageOf(handover.created_at, state.now);
    const next = oneLine(handover.next_action ?? "");
    parts.push([
      span("handover ", "muted"),
      divergenceSpan(handover.divergence),
      span(" "),
      freshnessSpan(handover.freshness),
      span(age === "" ? "" : ` ${age}`, "muted"),
      ...(next === "" ? [] : [span("  next ", "muted"), span(show(next))]),
    ]);
  }
  return joinLines(parts, span("   "));
}

/** The row above the footer: what was just done, else what is being worked on. */
export function statusLine(state: ConsoleState, root: string, width: number): Line {
  if (state.message !== undefined) {
    return [
      span(" "),
      span(clipMiddle(show(state.message.text), width - 2), MESSAGE_TONE[state.message.tone]),
    ];
  }
  return [span(" "), ...workLine(state, root)];
}
