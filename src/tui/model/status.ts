import type { Finding } from "../../core/labels/terms.ts";
import type { RecordView, TaskView } from "../../core/lifecycle/answers.ts";
import { clipCells, clipMiddle } from "../cells.ts";
import { GLYPH } from "../glyphs.ts";
import { ageOf } from "./age.ts";
import { countLevels, judgedRows } from "./health-rows.ts";
import { divergenceSpan, freshnessSpan, LEVEL_TONE } from "./labels.ts";
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

/** What is no reason to look. */
const QUIET: ReadonlySet<Finding["level"]> = new Set(["INFO", "OK"]);

/** What the judges found that somebody should look at, counted as the health view counts it. */
function healthLine(root: string, slices: Slices | undefined): Line {
  if (slices?.doctor.data === undefined) return [];
  const counts = countLevels(judgedRows(root, slices)).filter(({ level }) => !QUIET.has(level));
  const judges = [slices.check, slices.watch];
  const open = judges.some(
    ({ data, state }) => data === undefined && (state === "idle" || state === "loading"),
  );
  // Nothing is well before every judge has spoken.
  if (counts.length === 0 && open) return [];
  const parts = counts.map(({ level, count }): Line => [span(`${count} ${level}`, LEVEL_TONE[level])]);
  return [
    span("health ", "muted"),
    ...(parts.length === 0 ? [span("ok", "good")] : joinLines(parts, span(` ${GLYPH.dot} `, "muted"))),
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

/** What cannot be read is no evidence that nothing blocks. */
function blockingLine(blocked: number, unsure: boolean): Line {
  if (unsure)
    return [span(blocked === 0 ? "blockers unknown" : `${counted(blocked, "blocker")} or more`, "bad")];
  return blocked === 0 ? [] : [span(counted(blocked, "blocker"), "warn")];
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
  const { task, task_unknown: taskUnknown, blockers, blockers_unknown: blockersUnknown } = answer;
  const { handover, handover_unknown: handoverUnknown } = answer;
  const gap = width < AIRY_FROM ? NARROW_GAP : GAP;
  const unsure = handoverUnknown === undefined ? [] : [span("handover unknown", "bad")];
  const label = handover === undefined ? unsure : handoverLine(handover, state.now);
  const widthOf = (parts: readonly Line[]): number =>
    parts.reduce((sum, part) => sum + (part.length === 0 ? 0 : lineWidth(part) + gap.length), 0);
  const blocked = (blockers ?? []).length;
  const blocking = blockingLine(blocked, blockersUnknown !== undefined);
  const overview = state.view === "overview";
  const health = overview ? healthLine(root, slices) : [];
  const whole = [blocking, overview ? reviewLine(slices) : [], health];
  // What is wrong is never cut for what only waits.
  const waits = widthOf(whole) - gap.length <= width ? whole : [blocking, health];
  const all = widthOf([...waits, label]);
  const room = width - (all + SHORTEST_TITLE * 2 <= width ? all : widthOf(waits));
  const next = oneLine(handover?.next_action ?? "");
  const told: Line = next === "" ? label : [...label, span("  next ", "muted"), span(show(next))];
  const unknown: Line = taskUnknown === undefined ? [] : [span("task unknown", "bad")];
  return joinLines([task === undefined ? unknown : taskLine(task, room), ...waits, told], span(gap));
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
