import { readMemory } from "../../core/capsule/read-model.ts";
import type { Checkout, Surroundings } from "../../core/checkout/checkout.ts";
import { openCheckout } from "../../core/checkout/open.ts";
import { readWatched } from "../../core/lifecycle/watched.ts";
import type { WatchPlan } from "../../tui/main.ts";

/** Where capsules lie: nowhere, while it cannot be told where memory does. */
function capsulesOf(checkout: Checkout): string[] {
  const memory = readMemory(checkout);
  return "tree" in memory ? [memory.tree.capsules] : [];
}

/** What the console looks at in one repository, so that nothing on its screen changes unseen. */
export async function planWatch(root: string, surroundings: Surroundings): Promise<WatchPlan> {
  const checkout = await openCheckout(root, surroundings);
  const { directories, ...watched } = readWatched(checkout);
  return {
    ...watched,
    directories: [...directories, ...capsulesOf(checkout)],
    pollSeconds: checkout.settings.switches.live.poll_seconds,
  };
}
