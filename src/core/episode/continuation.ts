import { parseTimestamp } from "../base/time.ts";
import type { Checkout } from "../checkout/checkout.ts";
import {
  asideRegistrations,
  endedRegistrations,
  listEnded,
  readRegistration,
} from "../journal/registration.ts";
import type { Registration } from "../journal/registration.ts";
import type { Continuation, OpenRequest } from "./request.ts";

const SAME_PROCESS_WINDOW_MILLISECONDS = 10_000;
const LOOKED_AT = 20;
/** How the reason begins under which recovery retires a registration. */
export const RECOVERED = "recovered: ";

function sameProcess(a: Registration["process"], b: Registration["process"]): boolean {
  return (
    a !== undefined && b !== undefined && a.pid === b.pid && a.started === b.started && a.boot === b.boot
  );
}

/**
 * Which closed or lost episode a new one continues, on evidence alone: the same provider session, a parent
 * that the payload names, or an end and a start of one process within ten seconds (promise 12). Nothing is
 * guessed from time and place.
 */
export function findContinuation(
  checkout: Pick<Checkout, "common" | "clock">,
  provider: string,
  rawId: string,
  request: Pick<OpenRequest, "parentSession" | "process">,
): Continuation | undefined {
  const before = [
    ...asideRegistrations(checkout.common, provider, rawId),
    ...endedRegistrations(checkout.common, provider, rawId),
  ]
    .toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1))
    .at(-1);
  if (before !== undefined) {
    return { session_id: before.session_id, evidence: "the same provider session id" };
  }
  if (request.parentSession !== undefined) {
    const parent =
      readRegistration(checkout.common, provider, request.parentSession)?.registration ??
      endedRegistrations(checkout.common, provider, request.parentSession).at(-1);
    if (parent !== undefined) {
      return { session_id: parent.session_id, evidence: "the payload names its parent session" };
    }
  }
  const now = checkout.clock.now();
  const predecessor = listEnded(checkout.common, LOOKED_AT).findLast((ended) => {
    const at = parseTimestamp(ended.ended ?? "");
    const near = at !== undefined && Math.abs(now - at) <= SAME_PROCESS_WINDOW_MILLISECONDS;
    // A recovery is an act of a person, at any time, and not the end of a process.
    const isEnd = ended.end_reason?.startsWith(RECOVERED) !== true;
    return near && isEnd && ended.provider === provider && sameProcess(ended.process, request.process);
  });
  return predecessor === undefined
    ? undefined
    : {
        session_id: predecessor.session_id,
        evidence: "an end and a start of one process within ten seconds",
      };
}
