import type { Finding } from "../../core/labels/terms.ts";
import type { RecordView, TaskView } from "../../core/lifecycle/answers.ts";
import { clipCells, clipMiddle } from "../cells.ts";
import { ageOf } from "./age.ts";
import { divergenceSpan, freshnessSpan } from "./labels.ts";
import { joinLines, lineWidth, show, span } from "./line.ts";
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

/** Between the parts of the row, where there is room for air. */
const GAP = "   ";
const NARROW_GAP = "  ";
const AIRY_FROM = 80;
/** A title shorter than this says nothing. */
const SHORTEST_TITLE = 10;

/** The task in so many cells: its scope and profile give way first, then the end of its title. */
function taskLine(task: TaskView, width: number): Line {
  const title = show(oneLine(task.title));
  const rest = [...(task.scope ?? []), task.profile].filter((part) => part !== undefined).map(show);
  const whole: Line = [
    span("task ", "muted"),
    span(title),
    ...rest.map((part) => span(` · ${part}`, "muted")),
  ];
  if (lineWidth(whole) <= width) return whole;
  const room = width - "task ".length;
  return room < SHORTEST_TITLE ? [] : [span("task ", "muted"), span(clipCells(title, room))];
}

function handoverLine(handover: RecordView, now: number): Line {
  const age = ageOf(handover.created_at, now);
  return [
    span("handover ", "muted"),
    divergenceSpan(handover.divergence),
    span(" "),
    freshnessSpan(handover.freshness),
    span(age === "" ? "" : ` ${age}`, "muted"),
  ];
}

/**
 * The task, what blocks it, and the handover that would be resumed from: the worker's answer in one row. What
 * waits for a person is never cut for the sake of a long title.
 */
function workLine(state: ConsoleState, root: string, width: number): Line {
  const slices = state.repositories[root];
  const slice = slices?.state;
  const [waiting] = waitingLines(state, "state");
  if (slice?.state === "failed" && waiting !== undefined) return waiting;
  const answer = slice?.data;
  if (answer === undefined) return waiting ?? [];
  const { task, blockers, handover } = answer;
  const waits: Line[] = [];
  if ((blockers ?? []).length > 0) waits.push([span(counted(blockers?.length ?? 0, "blocker"), "warn")]);
  if (state.view === "overview") waits.push(reviewLine(slices), healthLine(slices));
  const gap = width < AIRY_FROM ? NARROW_GAP : GAP;
  const label = handover === undefined ? [] : handoverLine(handover, state.now);
  const widthOf = (parts: readonly Line[]): number =>
    parts.reduce((sum, part) => sum + (part.length === 0 ? 0 : lineWidth(part) + gap.length), 0);
  const all = widthOf([...waits, label]);
  const room = width - (all + SHORTEST_TITLE * 2 <= width ? all : widthOf(waits));
  const next = oneLine(handover?.next_action ?? "");
  const told: Line = next === "" ? label : [...label, span("  next ", "muted"), span(show(next))];
  return joinLines([...(task === undefined ? [] : [taskLine(task, room)]), ...waits, told], span(gap));
}

/** The row above the footer: what was just done, else what is being worked on. */
export function statusLine(state: ConsoleState, root: string, width: number): Line {
  if (state.message !== undefined) {
    return [
      span(" "),
      span(clipMiddle(show(state.message.text), width - 2), MESSAGE_TONE[state.message.tone]),
    ];
  }
  return [span(" "), ...workLine(state, root, width - 1)];
}
