import { EXIT, MajordomusError, reasonOf } from "../base/error.ts";
import { formatTimestamp } from "../base/time.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { shownPath } from "../checkout/shown-path.ts";
import type { HeldLock } from "../fs/lock.ts";
import type { Position } from "../records/continuity-cache.ts";
import { formatContinuityState } from "../records/continuity-cache.ts";
import { carryDecisions } from "./carry-decisions.ts";
import { carryHandover } from "./carry-handover.ts";
import { Lineage } from "./lineage.ts";
import { withOffers } from "./offers.ts";
import { openContinuity, recallState, rememberState, whilePositioned } from "./place.ts";
import type { ContinuityPlace } from "./place.ts";
import type { PlanAnswer, ResumeAnswer } from "./plan-answer.ts";
import { planIn } from "./plan.ts";
import type { Planned } from "./plan.ts";
import { readStore } from "./store.ts";
import type { RecordSummary } from "./summary.ts";

/** Runs one step; a failure says which steps stand, and that the next run completes the rest. */
function step<Value>(done: readonly string[], what: string, action: () => Value): Value {
  try {
    return action();
  } catch (error) {
    const before = done.length === 0 ? "nothing was written" : `${done.join(" and ")} written`;
    throw new MajordomusError({
      code: "continuity.half_resumed",
      exit: EXIT.internal,
      subject: what,
      message: `${before}; ${what} could not be: ${reasonOf(error)}`,
      remedy: "resume again: it completes this one and doubles nothing",
      cause: error,
    });
  }
}

/** Takes the position, unless this branch stands on the record already or has gone on from it. */
function takePosition(place: ContinuityPlace, record: RecordSummary, lock: HeldLock): Position {
  const store = readStore(place.store);
  const state = recallState(place);
  const { branch, clock } = place.checkout;
  const standing = state.branches.get(branch);
  const stays =
    standing !== undefined &&
    (standing.record === record.id || new Lineage(store.records).descends(record.id, standing.record));
  const position: Position = stays
    ? standing
    : { line: record.line, record: record.id, via: "resumed", at: formatTimestamp(clock.now()) };
  const next = withOffers(place, store, {
    ...state,
    branches: new Map(state.branches).set(branch, position),
  });
  // A second resume rewrites nothing.
  if (formatContinuityState(next) !== formatContinuityState(state)) rememberState(place, next, lock);
  return position;
}

function withoutResume(plan: PlanAnswer): PlanAnswer {
  const actions = plan.actions.filter(({ command }) => !command.startsWith("majordomus continuity resume "));
  return { ...plan, actions };
}

function carryOut(place: ContinuityPlace, { answer, chosen }: Planned, lock: HeldLock): ResumeAnswer {
  if (chosen === undefined || (answer.status !== "ready" && answer.status !== "ready_with_warnings")) {
    return { resumed: false, plan: answer, decisions_carried: 0 };
  }
  const { signed, summary } = chosen;
  const handover = step([], "the handover", () => carryHandover(place, signed));
  const carried = step(["the handover is"], "its decisions", () => carryDecisions(place, signed));
  const position = step(["the handover and its decisions are"], "this branch's position", () =>
    takePosition(place, summary, lock),
  );
  return {
    resumed: true,
    plan: withoutResume(answer),
    handover: shownPath(place.checkout.root, handover.path),
    decisions_carried: carried,
    position,
    ...(handover.notes.length === 0 ? {} : { notes: handover.notes }),
  };
}

/**
 * Resumes a record of another machine here, when the plan says that it can be: its handover, its decisions,
 * this branch's position, and nothing else (records.md 14.17). Each of them once, however often it is run.
 *
 * @throws MajordomusError 13 naming the steps that stand; 10 or 13 as {@link openContinuity} and the store do.
 */
export function resumeRecord(
  checkout: Checkout,
  request: { record?: string | undefined },
  place: ContinuityPlace = openContinuity(checkout),
): ResumeAnswer {
  return whilePositioned(place, (lock) => carryOut(place, planIn(place, request.record), lock));
}
