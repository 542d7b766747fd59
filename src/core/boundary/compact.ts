import { headText } from "../checkout/checkout.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { readJournalTail } from "../journal/event-journal.ts";
import { readRegistration } from "../journal/registration.ts";
import { readRoster } from "../journal/roster.ts";
import { wentOnSinceDerived } from "../task/handover-due.ts";
import { deriveCheckpointStep } from "./derive.ts";
import { deriveKnowledgeStep } from "./derive-knowledge.ts";
import { homeOfEpisode } from "./episode-home.ts";
import type { LifecycleEvent } from "./event.ts";
import { readStretch } from "./heal.ts";
import { instantOf } from "./instant.ts";
import { recordProviderEvent } from "./provider-event.ts";
import type { Steps } from "./steps.ts";
import { workLines } from "./work-lines.ts";

/** Fires before every request of the model, whether anything is compressed or not: no compaction (promise 10c). */
function announcesNothing({ name, trigger }: LifecycleEvent): boolean {
  return name === "PreCompress" && trigger !== "manual";
}

/**
 * Whether this event came before, and nothing since: neither another event nor anything that the checkpoint would say.
 *
 * @param checkout where the event came in, and its receipts are; the episode may live elsewhere
 */
function isDouble(checkout: Checkout, home: Checkout, event: LifecycleEvent, sessionId: string): boolean {
  const { checkpointed, derived, taken } = readStretch(
    readJournalTail(checkout),
    event,
    checkout.clock.now(),
  );
  if (taken || !(checkpointed || derived)) return taken;
  return !wentOnSinceDerived(workLines(home, sessionId), headText(home));
}

/**
 * The steps before a compaction: the receipt, then the derived checkpoint, because the conversation is about
 * to stop holding what the episode knows, and the capsule's last stretch. At most three git processes.
 *
 * @returns what the one who summarises may be told, where the switch is on
 */
export async function beforeCompaction(
  checkout: Checkout,
  event: LifecycleEvent,
  steps: Steps,
): Promise<string | undefined> {
  const registered =
    event.session === undefined
      ? undefined
      : readRegistration(checkout.common, event.provider, event.session)?.registration;
  const home = registered === undefined ? checkout : await homeOfEpisode(checkout, registered, steps);
  if (home === undefined) return undefined;
  if (home === "gone") {
    steps.skip("checkpoint", "the worktree of the episode is gone");
    return undefined;
  }
  await steps.run("receipt", () => {
    recordProviderEvent(home, event, "compact", { session: registered?.session_id });
  });
  const entry =
    registered && readRoster(home).entries.find(({ sessionId }) => sessionId === registered.session_id);
  if (announcesNothing(event)) steps.skip("checkpoint", "the event proves no compaction");
  else if (entry === undefined) steps.skip("checkpoint", "no episode of this provider session is open");
  else if (
    (await steps.runOthers("journal", () => isDouble(checkout, home, event, entry.sessionId))) === true
  ) {
    steps.skip("checkpoint", "the compaction has one already");
  } else {
    const instant = instantOf(home);
    await deriveCheckpointStep(home, entry, instant, steps);
    await deriveKnowledgeStep(home, entry, instant, steps, "compact");
  }
  return flushCapsule(home, event, steps);
}

/** Capsules are a bundle of their own, and whatever becomes of it, the compaction goes on. */
async function flushCapsule(
  home: Checkout,
  event: LifecycleEvent,
  steps: Steps,
): Promise<string | undefined> {
  if (event.autosave !== true) return undefined;
  try {
    const { flushBeforeCompaction } = await import("./capsule-flush.ts");
    return await flushBeforeCompaction(home, event, steps);
  } catch (error) {
    return steps.run("capsule_flush", () => {
      throw error;
    });
  }
}
