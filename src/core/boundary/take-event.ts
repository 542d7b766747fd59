import type { Surroundings } from "../checkout/checkout.ts";
import type { LifecycleEvent } from "./event.ts";
import { settleLight } from "./heartbeat.ts";
import { locateEvent } from "./locate-event.ts";
import { receiveEvent } from "./receipt.ts";
import { Steps } from "./steps.ts";

/**
 * Takes one event of a provider: finds its repository, leaves the receipt, runs the steps, and notes what
 * came of each. The one way into the boundary.
 *
 * @param elapsed milliseconds, monotonic; for the steps' own times
 * @returns what the provider may be told, on a start alone
 */
export async function takeEvent(
  event: LifecycleEvent,
  surroundings: Surroundings,
  elapsed: () => number,
): Promise<string | undefined> {
  const site = locateEvent(event, surroundings);
  if (site === undefined) return undefined;
  const receipt = receiveEvent(site, event);
  const steps = new Steps(elapsed);
  let text: string | undefined;
  const light = await steps.run("heartbeat", (note) => {
    const outcome = settleLight(site, event);
    if (outcome !== "settled") note({ result: "skipped", reason: outcome.replace("_", " ") });
    return outcome;
  });
  if (light === "needs_checkout") {
    // Settings, stores and git are loaded only by the events that need them: most hooks are heartbeats.
    const { handleWhole } = await import("./handle.ts");
    text = await handleWhole(site, event, steps);
  }
  receipt.outcome(steps.outcomes);
  return text;
}
