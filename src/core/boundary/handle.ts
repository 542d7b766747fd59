import { reasonOf } from "../base/error.ts";
import { sharedPatience } from "../base/patience.ts";
import type { Checkout, Site } from "../checkout/checkout.ts";
import { openSite } from "../checkout/open.ts";
import { recordEvent } from "../ledger/record-event.ts";
import { readRegistration } from "../journal/registration.ts";
import { drainWaiting } from "./drain.ts";
import type { LifecycleEvent } from "./event.ts";
import { previewBriefing } from "./preview-briefing.ts";
import { startSession } from "./start.ts";
import { settingsNotice } from "./settings-notice.ts";
import type { Steps } from "./steps.ts";

/** The events that the ledger hears of. */
const RECORDED: ReadonlySet<LifecycleEvent["kind"]> = new Set(["start", "compact", "end"]);

/**
 * Handles an event that needs the whole checkout: its settings, its stores and at most a few git processes.
 *
 * @returns what the provider may be told, on a start alone
 */
export async function handleWhole(
  site: Site,
  event: LifecycleEvent,
  steps: Steps,
): Promise<string | undefined> {
  const opened = await steps.run("settings", () => openSite(site));
  if (opened === undefined) {
    const isTold = event.kind === "start" && !event.subagent;
    return isTold ? settingsNotice(steps.reasonOf("settings") ?? "its settings cannot be read") : undefined;
  }
  const wait = opened.settings.switches.hooks.lock_wait_ms;
  const checkout: Checkout = { ...opened, patience: sharedPatience(wait) };
  const text = await takeSteps(checkout, event, steps);
  if (RECORDED.has(event.kind)) recordFailures(checkout, event, steps);
  return text;
}

/** What a start would tell, where hooks only look; undefined where that cannot be told. */
export async function reportWhole(site: Site): Promise<string | undefined> {
  let checkout: Checkout;
  try {
    checkout = await openSite(site);
  } catch (error) {
    return settingsNotice(reasonOf(error));
  }
  try {
    return previewBriefing(checkout);
  } catch {
    // A hook fails nobody, and who only looks has nowhere to say so.
    return undefined;
  }
}

async function takeSteps(
  checkout: Checkout,
  event: LifecycleEvent,
  steps: Steps,
): Promise<string | undefined> {
  if (event.kind === "start") return startSession(checkout, event, steps);
  // A start, which somebody waits for, loads nothing of what only ends and compactions do.
  if (event.kind === "end") {
    const { endSession } = await import("./end.ts");
    await endSession(checkout, event, steps);
    return undefined;
  }
  const registered =
    event.session !== undefined &&
    readRegistration(checkout.common, event.provider, event.session) !== undefined;
  if (!registered) {
    await startSession(checkout, event, steps);
  } else {
    await steps.run("spool", (note) => {
      const drained = drainWaiting(checkout);
      if (drained.left > 0) note({ result: "deferred", reason: `${drained.left} line(s) wait further` });
    });
  }
  if (event.kind !== "compact") return undefined;
  const { beforeCompaction } = await import("./compact.ts");
  return beforeCompaction(checkout, event, steps);
}

/** Says in the ledger which steps failed; where the ledger itself is what fails, the journal has it already. */
function recordFailures(checkout: Checkout, event: LifecycleEvent, steps: Steps): void {
  const registered =
    event.session === undefined
      ? undefined
      : readRegistration(checkout.common, event.provider, event.session)?.registration;
  // A line stands in the ledger of its episode's own worktree, or belongs to nobody.
  const isHere = registered?.worktree_id === checkout.worktreeIdentity;
  const session = isHere ? registered?.session_id : undefined;
  for (const { step, result, reason } of steps.outcomes) {
    if (result !== "failed") continue;
    try {
      recordEvent(
        checkout,
        "provider.event.failed",
        {
          provider: event.provider,
          provider_event: event.kind,
          reason: reason === undefined ? step : `${step}: ${reason}`,
        },
        { session, deferrable: true },
      );
    } catch {
      return;
    }
  }
}
