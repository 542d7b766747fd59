import { sectionText } from "./body.ts";
import type { Continuation } from "./plan-answer.ts";
import type { ContinuityPlace } from "./place.ts";
import { judgeStored } from "./stored-record.ts";
import type { RecordSummary } from "./summary.ts";
import { recordViewer } from "./views.ts";

/** More ways than these are not set side by side. */
const SHOWN = 8;

/**
 * The ways in which a line was gone on with, for people to choose among: who, when by their own clock, from
 * which commit, what for, what next, and the decisions that one alone has.
 *
 * @param heads of one line.
 */
export function compareContinuations(
  place: ContinuityPlace,
  heads: readonly RecordSummary[],
  facts: { chosen: string | undefined; position: string | undefined },
): Continuation[] {
  const view = recordViewer(place);
  const read = heads.slice(0, SHOWN).flatMap((head) => {
    const stored = judgeStored(place, head);
    return stored.ok ? [{ head, record: stored.signed.record }] : [];
  });
  return read.map(({ head, record }) => {
    const decisions = (record.decisions ?? []).map(({ title }) => title);
    const others = new Set(
      read
        .filter((other) => other.head.id !== head.id)
        .flatMap((other) => (other.record.decisions ?? []).map(({ title }) => title)),
    );
    const body = record.handover.body;
    const [objective, state, next] = ["objective", "current state", "next action"].map((name) =>
      sectionText(body, name),
    );
    return {
      record: view(head),
      chosen: head.id === facts.chosen,
      here: facts.position === head.id,
      ...(objective === undefined ? {} : { objective }),
      ...(state === undefined ? {} : { current_state: state }),
      ...(next === undefined ? {} : { next_action: next }),
      decisions,
      decisions_only: decisions.filter((title) => !others.has(title)),
    };
  });
}
