import { formatTimestamp } from "../base/time.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { adoptOpenFile } from "../episode/adopt.ts";
import { composeClosed } from "../episode/compose-closed.ts";
import { retireLeftBehind, sealEpisode } from "../episode/seal.ts";
import { readRegistration, replaceRegistration } from "../journal/registration.ts";
import type { RegistrationEntry } from "../journal/registration.ts";
import { readRoster } from "../journal/roster.ts";
import type { RosterEntry } from "../journal/roster.ts";
import type { LifecycleEvent } from "./event.ts";
import { announceDerived } from "./announce-derived.ts";
import { deriveCheckpointStep, deriveHandoverStep } from "./derive.ts";
import { deriveKnowledgeStep, deriveUnseen } from "./derive-knowledge.ts";
import { drainWaiting } from "./drain.ts";
import { homeOfEpisode } from "./episode-home.ts";
import { instantOf } from "./instant.ts";
import { recordProviderEvent } from "./provider-event.ts";
import type { Steps } from "./steps.ts";

/**
 * The steps of an end: the receipt, then the envelope is sealed in the store of the worktree where the
 * episode was opened. A doubled or late end changes nothing but a receipt (decisions.md 1).
 */
export async function endSession(checkout: Checkout, event: LifecycleEvent, steps: Steps): Promise<void> {
  await steps.run("spool", () => {
    drainWaiting(checkout);
  });
  const entry =
    event.session === undefined || event.subagent
      ? undefined
      : (readRegistration(checkout.common, event.provider, event.session) ??
        adopt(checkout, event.provider, event.session));
  if (entry === undefined) {
    steps.skip("seal", "no episode of this provider session is open here");
    return;
  }
  const home = await homeOfEpisode(checkout, entry.registration, steps);
  if (home === "gone") await steps.run("mark_ended", () => markEnded(checkout, entry, event));
  if (home === undefined || home === "gone") return;
  await steps.run("receipt", () => {
    recordProviderEvent(home, event, "end", { session: entry.registration.session_id });
  });
  await flushCapsule(home, event, steps);
  await seal(home, entry, event, steps);
}

/** Capsules are a bundle of their own, and whatever becomes of it, the episode is sealed. */
async function flushCapsule(home: Checkout, event: LifecycleEvent, steps: Steps): Promise<void> {
  if (event.autosave !== true) return;
  try {
    const { flushAtEnd } = await import("./capsule-flush.ts");
    await flushAtEnd(home, event, steps);
  } catch (error) {
    await steps.run("capsule_flush", () => {
      throw error;
    });
  }
}

/** Few policies ask for it: what commits is a bundle of its own. */
async function commitRecord(home: Checkout, sessionId: string, steps: Steps): Promise<void> {
  if (!home.settings.policy.session.commit_record_on_end) return;
  await steps.runOthers("commit_record", async () => {
    const { commitRecordStep } = await import("./commit-record.ts");
    await commitRecordStep(home, sessionId, steps);
  });
}

/** An episode that the original opened for this very session ends here too, though we never saw it start. */
function adopt(checkout: Checkout, provider: string, rawId: string): RegistrationEntry | undefined {
  const request = { provider, rawId, movesPointer: false, workingTree: "dirty", deferrable: true } as const;
  return adoptOpenFile(checkout, provider, rawId, request);
}

/** Nothing can compose the record of a worktree that is gone but recovery; the end is only remembered. */
function markEnded(checkout: Checkout, entry: RegistrationEntry, event: LifecycleEvent): void {
  replaceRegistration(entry.path, {
    ...entry.registration,
    ended: formatTimestamp(checkout.clock.now()),
    end_reason: event.reason ?? "end",
  });
}

/**
 * Before the envelope is sealed: the checkpoint, the knowledge and, when one is due, the handover, since the
 * close is the other moment at which what the episode knows stops being reachable. At most four git
 * processes in all.
 */
async function seal(
  home: Checkout,
  registered: RegistrationEntry,
  event: LifecycleEvent,
  steps: Steps,
): Promise<void> {
  const { entries, leftBehind } = readRoster(home);
  const isMine = ({ sessionId }: RosterEntry): boolean => sessionId === registered.registration.session_id;
  const left = leftBehind.find(isMine);
  if (left !== undefined) {
    // Its record stands: a close that was killed, or the original's, which knows nothing of our state.
    await steps.run("seal", () => retireLeftBehind(home, left));
    await commitRecord(home, left.sessionId, steps);
    return;
  }
  const entry = entries.find(isMine);
  if (entry === undefined) {
    steps.skip("seal", "was sealed already");
    return;
  }
  const instant = instantOf(home);
  announceDerived(home, entry, instant);
  await deriveCheckpointStep(home, entry, instant, steps);
  const seen = await deriveKnowledgeStep(home, entry, instant, steps, "end");
  await deriveHandoverStep(home, entry, instant, steps, false);
  const outcome = event.closes === true ? "closed" : "interrupted";
  const sealed = await steps.run("seal", (note) => {
    const result = sealEpisode(home, entry, {
      outcome,
      reason: event.reason ?? "end",
      deferrable: true,
      compose: (lines) => composeClosed(home, entry, lines, outcome, undefined, instant.moment),
      beforeClosing: (lines) => {
        const { sessionId } = entry;
        deriveUnseen(home, { sessionId, lines, openAt: home.head, session: sessionId }, seen);
      },
    });
    if (result.deferred)
      note({ result: "deferred", reason: "the ledger stayed locked; the line waits in the spool" });
    else if (result.notes.length > 0) note({ result: "done", reason: result.notes.join("; ") });
    return result;
  });
  if (sealed !== undefined) return commitRecord(home, entry.sessionId, steps);
  if (registered.registration.ended !== undefined) return;
  const failed = steps.outcomes.at(-1)?.result;
  // A seal that could not be done now is remembered, so that recovery may take it without waiting for proof.
  if (failed === "deferred" || failed === "failed") markEnded(home, registered, event);
}
