import type { Checkout } from "../checkout/checkout.ts";
import { workingTask } from "../context/working-task.ts";
import { loadProfile } from "../policy/load.ts";
import type { Profile } from "../policy/profile.ts";

/** The profile of the task that is worked on, else the policy's default; undefined where it cannot be read. */
export async function profileHere(checkout: Checkout): Promise<Profile | undefined> {
  const { manifest, policy } = checkout.settings;
  const named = workingTask(checkout)?.profile;
  const name = named === undefined || named === "" || named === "none" ? policy.profiles.default : named;
  try {
    return await loadProfile(checkout.layout.ai, manifest, name, checkout.common.cache);
  } catch {
    return undefined;
  }
}
