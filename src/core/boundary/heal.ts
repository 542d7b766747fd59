import type { Checkout } from "../checkout/checkout.ts";
import { readJournalTail } from "../journal/event-journal.ts";
import type { JournalEntry } from "../journal/event-journal.ts";
import { PROMPT_EVENTS } from "../journal/event-kinds.ts";
import type { LifecycleEvent } from "./event.ts";
import type { Instant } from "./instant.ts";
import type { Steps } from "./steps.ts";

/** Events by which a provider says that a compaction happened. */
const COMPACTED: ReadonlySet<string> = new Set(["PostCompact", "session.compacted"]);
/** What the journal knows of a session since its last prompt or start before the current event. */
export interface Stretch {
  compacted: boolean;
  checkpointed: boolean;
  derived: boolean;
}

/**
 * Looks back over the receipts of one session: whether a compaction was proved, and whether a checkpoint was
 * written and knowledge derived, since its previous prompt or start (decisions.md 1.2).
 *
 * @param entries oldest first; the newest receipt of the session is the current event's own.
 */
export function readStretch(
  entries: readonly JournalEntry[],
  event: Pick<LifecycleEvent, "provider" | "session">,
): Stretch {
  const own = entries.filter((entry) => entry.provider === event.provider && entry.session === event.session);
  const current = own.findLastIndex(({ phase }) => phase === "received");
  const stretch: Stretch = { compacted: false, checkpointed: false, derived: false };
  for (const entry of own.slice(0, Math.max(0, current)).toReversed()) {
    if (entry.phase === "received" && (entry.source !== undefined || PROMPT_EVENTS.has(entry.event))) break;
    if (COMPACTED.has(entry.event)) stretch.compacted = true;
    const done = (entry.steps ?? []).filter(({ result }) => result === "done" || result === "deferred");
    if (done.some(({ step }) => step === "checkpoint")) stretch.checkpointed = true;
    if (done.some(({ step }) => step === "knowledge")) stretch.derived = true;
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
  const stretch = readStretch(readJournalTail(checkout), event);
  if (!event.provesCompaction && !stretch.compacted) return;
  if (stretch.checkpointed) {
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
