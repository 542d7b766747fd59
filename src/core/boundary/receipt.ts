import { lightSha256 } from "../base/light-hash.ts";
import { formatTimestamp } from "../base/time.ts";
import type { Site } from "../checkout/checkout.ts";
import { journalEvent, KEPT_CHARACTERS } from "../journal/event-journal.ts";
import type { JournalEntry, StepOutcome } from "../journal/event-journal.ts";
import { clip } from "../text/inert.ts";
import type { LifecycleEvent, UnusablePayload } from "./event.ts";

function bounded(text: string): string {
  return clip(text, KEPT_CHARACTERS);
}

/** What two processes may take at once, so that one of them must know of the other. */
const ANSWERED_FOR: ReadonlySet<LifecycleEvent["kind"]> = new Set(["start", "compact", "end"]);

let receipts = 0;

/** An id that no other receipt has, without the cost of real randomness. */
function receiptId(site: Site): string {
  receipts += 1;
  return lightSha256(`${process.pid} ${process.hrtime.bigint()} ${receipts} ${site.clock.now()}`).slice(
    0,
    16,
  );
}

/** The receipt of one event: a line before any thinking, and a line that says what came of it. */
export interface Receipt {
  outcome(steps: readonly StepOutcome[]): void;
}

/** Writes the received line and gives the means to write the outcome (decisions.md 1). */
export function receiveEvent(site: Site, event: LifecycleEvent): Receipt {
  const entry = {
    id: receiptId(site),
    provider: event.provider,
    ...(event.declared === undefined ? {} : { declared: bounded(event.declared) }),
    event: bounded(event.name),
    ...(event.session === undefined ? {} : { session: bounded(event.session) }),
    ...(event.source === undefined ? {} : { source: event.source }),
    ...(event.reason === undefined ? {} : { reason: bounded(event.reason) }),
    ...(ANSWERED_FOR.has(event.kind) ? { pid: process.pid } : {}),
  };
  return keep(site, entry);
}

/** The receipt of a payload that cannot be used; its outcome is that nothing was done. */
export function receiveUnusable(site: Site, payload: UnusablePayload): void {
  const receipt = keep(site, {
    id: receiptId(site),
    provider: payload.provider,
    ...(payload.declared === undefined ? {} : { declared: bounded(payload.declared) }),
    event: bounded(payload.name),
  });
  receipt.outcome([{ step: "payload", result: "refused", ms: 0, reason: bounded(payload.reason) }]);
}

function keep(site: Site, entry: Omit<JournalEntry, "ts" | "phase" | "steps">): Receipt {
  const line = (phase: "received" | "outcome"): JournalEntry => ({
    ...entry,
    ts: formatTimestamp(site.clock.now()),
    phase,
  });
  journalEvent(site, line("received"));
  return {
    outcome: (steps) => journalEvent(site, { ...line("outcome"), steps: [...steps] }),
  };
}
