import type { Checkout } from "../checkout/checkout.ts";
import { loadProfile } from "../policy/load.ts";

/** How deep the recent history of a context goes: what the default profile says, nothing where it cannot be read. */
export async function historyDepth(checkout: Checkout): Promise<number> {
  try {
    const { manifest, policy } = checkout.settings;
    const profile = await loadProfile(
      checkout.layout.ai,
      manifest,
      policy.profiles.default,
      checkout.common.cache,
    );
    return profile.context.recent_history_depth;
  } catch {
    return 0;
  }
}
