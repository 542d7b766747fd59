import type { Checkout } from "../checkout/checkout.ts";
import { isBeingTaken } from "../journal/announced-ends.ts";
import { readJournalTail } from "../journal/event-journal.ts";
import type { JournalEntry } from "../journal/event-journal.ts";
import { PROMPT_EVENTS } from "../journal/event-kinds.ts";
import type { LifecycleEvent } from "./event.ts";
import type { Instant } from "./instant.ts";
import type { Steps } from "./steps.ts";

/** Events by which a provider says that a compaction happened. */
const COMPACTED: ReadonlySet<string> = new Set(["PostCompact", "session.compacted"]);
/** What the journal knows of a session since something that came before the current event. */
export interface Stretch {
  compacted: boolean;
  checkpointed: boolean;
  /** Another process is at it: the one whose receipt came first writes. */
  taken: boolean;
  derived: boolean;
}

/**
 * Looks back over the receipts of one session: whether a compaction was proved, and whether a checkpoint was
 * written and knowledge derived, since its previous prompt or start (decisions.md 1.2); for an event before a
 * compaction, since anything else that came of it. What came twice with nothing between is one event (promise 6).
 *
 * @param entries oldest first; the newest receipt of this event by this process is the current event's own.
 * @param now milliseconds since the epoch
 */
export function readStretch(
  entries: readonly JournalEntry[],
  event: Pick<LifecycleEvent, "provider" | "session" | "name" | "kind" | "source">,
  now: number,
): Stretch {
  const own = entries.filter((entry) => entry.provider === event.provider && entry.session === event.session);
  const current = own.findLastIndex(
    (entry) =>
      entry.phase === "received" && entry.event === event.name && (entry.pid ?? process.pid) === process.pid,
  );
  const stretch: Stretch = { compacted: false, checkpointed: false, taken: false, derived: false };
  const finished = new Set<string>();
  let between = false;
  for (let index = current < 0 ? -1 : own.length - 1; index >= 0; index -= 1) {
    const { id, phase, pid, ts, steps, source, event: name } = own[index] as JournalEntry;
    if (id === own[current]?.id || (phase === "received" && index > current)) continue;
    const done = (steps ?? []).filter(({ result }) => result === "done" || result === "deferred");
    if (done.some(({ step }) => step === "checkpoint")) stretch.checkpointed = true;
    if (done.some(({ step }) => step === "knowledge")) stretch.derived = true;
    if (phase === "outcome") {
      finished.add(id);
      continue;
    }
    between ||= name !== event.name || source !== event.source;
    if (between && (event.kind === "compact" || source !== undefined || PROMPT_EVENTS.has(name))) break;
    if (COMPACTED.has(name)) stretch.compacted = true;
    const hook = finished.has(id) ? undefined : pid;
    if (hook !== undefined && isBeingTaken({ at: ts, hook }, now)) stretch.taken = true;
  }
  return stretch;
}

/** Writes the checkpoint and the knowledge of a compaction that was proved and announced by nobody (promise 7). */
export async function healCompaction(
  checkout: Checkout,
  event: LifecycleEvent,
  sessionId: string,
  instant: Instant,
  steps: Steps,
): Promise<void> {
  const stretch = readStretch(readJournalTail(checkout), event, checkout.clock.now());
  if (!event.provesCompaction && !stretch.compacted) return;
  if (stretch.checkpointed || stretch.taken) {
    steps.skip("checkpoint", "the compaction has one already");
    return;
  }
  const entry = instant.roster().entries.find((candidate) => candidate.sessionId === sessionId);
  if (entry === undefined) return;
  const { deriveCheckpointStep } = await import("./derive.ts");
  await deriveCheckpointStep(checkout, entry, instant, steps);
  if (stretch.derived) return;
  const { deriveKnowledgeStep } = await import("./derive-knowledge.ts");
  await deriveKnowledgeStep(checkout, entry, instant, steps, "compact");
}

/**
 * Writes the handover that each episode of this worktree owes whose worker is proved gone. The episodes stay
 * open: closing them is a person's act (decisions.md 1.2, 2).
 *
 * @param sessionId the episode that is starting, never its own to heal.
 */
export async function healLostWorkers(
  checkout: Checkout,
  sessionId: string | undefined,
  instant: Instant,
  steps: Steps,
): Promise<void> {
  const lost = instant
    .roster()
    .entries.filter(
      (entry) =>
        entry.here &&
        entry.whereabouts.kind === "here" &&
        entry.worker.state === "gone" &&
        entry.sessionId !== sessionId,
    );
  if (lost.length === 0) return;
  const { deriveHandoverStep } = await import("./derive.ts");
  for (const entry of lost) await deriveHandoverStep(checkout, entry, instant, steps, true);
}
