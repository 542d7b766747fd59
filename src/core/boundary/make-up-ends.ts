import { NEVER } from "../base/cancellation.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { applyRecovery } from "../episode/apply-recovery.ts";
import { planStranded } from "../episode/plan-stranded.ts";
import { gatherStranded } from "../episode/recovery-facts.ts";
import type { ProviderSession } from "../journal/announced-ends.ts";
import { readRoster } from "../journal/roster.ts";
import { strandingOf } from "../journal/stranding.ts";
import { deriveHandoverStep } from "./derive.ts";
import { deriveBeforeClosing } from "./derive-knowledge.ts";
import { instantOf } from "./instant.ts";
import type { Steps } from "./steps.ts";

/** A start has two seconds in all: what is left is stranded, and the next start goes on with it. */
const MOST_AT_ONCE = 4;

/**
 * Closes the episodes of this worktree whose end was announced and never came to its record: the hook was
 * killed, or found no settings or no room. It is the session's own end that is made up for here, so that no
 * person is needed; as nobody saw the end, the record says no more than a recovered one does.
 */
export async function makeUpEnds(
  checkout: Checkout,
  starting: ProviderSession | undefined,
  steps: Steps,
): Promise<void> {
  const roster = readRoster(checkout, starting);
  const ended = roster.entries
    .filter((entry) => entry.whereabouts.kind === "here" && strandingOf(entry)?.loss === "ended")
    .slice(0, MOST_AT_ONCE);
  const stranded = new Map(
    gatherStranded(checkout, { ...roster, entries: ended, leftBehind: [] }).map((facts) => [
      facts.entry.sessionId,
      facts,
    ]),
  );
  const { actions, skipped } = planStranded([...stranded.values()], checkout.clock.now(), Infinity);
  for (const { subject, reason } of skipped) steps.skip("make_up_end", `${subject} ${reason}`);
  for (const action of actions) {
    const facts = stranded.get(action.subject);
    if (facts === undefined) continue;
    if (facts.record === undefined) {
      await deriveHandoverStep(checkout, facts.entry, instantOf(checkout), steps, true);
    }
    await steps.run("make_up_end", async (note) => {
      const { performed, failed } = await applyRecovery(
        checkout,
        { stranded, roster },
        [action],
        NEVER,
        () => undefined,
        { derive: (target, episode) => deriveBeforeClosing(target, { ...episode, openAt: undefined }) },
      );
      const reason = [...failed.map((failure) => failure.reason), ...performed.map(({ message }) => message)];
      note({ result: failed.length > 0 ? "failed" : "done", reason: reason.join("; ") });
    });
  }
}
