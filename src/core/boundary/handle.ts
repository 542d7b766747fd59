import { sharedPatience } from "../base/patience.ts";
import type { Checkout, Site } from "../checkout/checkout.ts";
import { openSite } from "../checkout/open.ts";
import { recordEvent } from "../ledger/record-event.ts";
import { readRegistration } from "../journal/registration.ts";
import { drainWaiting } from "./drain.ts";
import { endSession } from "./end.ts";
import type { LifecycleEvent } from "./event.ts";
import { startSession } from "./start.ts";
import type { Steps } from "./steps.ts";

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
  if (opened === undefined) return undefined;
  const wait = opened.settings.switches.hooks.lock_wait_ms;
  const checkout: Checkout = { ...opened, patience: sharedPatience(wait) };
  const registered =
    event.session !== undefined &&
    readRegistration(checkout.common, event.provider, event.session) !== undefined;
  if (event.kind === "start") return startSession(checkout, event, steps);
  if (event.kind === "end") {
    await endSession(checkout, event, steps);
    return undefined;
  }
  if (!registered) {
    await startSession(checkout, event, steps);
  } else {
    await steps.run("spool", (note) => {
      const drained = drainWaiting(checkout);
      if (drained.left > 0) note({ result: "deferred", reason: `${drained.left} line(s) wait further` });
    });
  }
  if (event.kind === "compact") await receiveCompaction(checkout, event, steps);
  return undefined;
}

async function receiveCompaction(checkout: Checkout, event: LifecycleEvent, steps: Steps): Promise<void> {
  await steps.run("receipt", () => {
    const session =
      event.session === undefined
        ? undefined
        : readRegistration(checkout.common, event.provider, event.session)?.registration.session_id;
    recordEvent(
      checkout,
      "provider.event.received",
      {
        provider: event.provider,
        provider_event: "compact",
        ...(event.session === undefined ? {} : { provider_session: event.session }),
        ...(event.trigger === undefined ? {} : { trigger: event.trigger }),
      },
      { session, deferrable: true },
    );
  });
}
