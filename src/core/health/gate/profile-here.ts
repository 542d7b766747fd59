import { reasonOf } from "../../base/error.ts";
import { failed, ok } from "../../base/result.ts";
import type { Result } from "../../base/result.ts";
import type { Checkout } from "../../checkout/checkout.ts";
import { loadProfile } from "../../policy/load.ts";
import type { Profile } from "../../policy/profile.ts";

/** The profile that governs a task: its own, else the policy's default. */
export function profileNameOf(checkout: Pick<Checkout, "settings">, named: string | undefined): string {
  return named === undefined || named === "" || named === "none"
    ? checkout.settings.policy.profiles.default
    : named;
}

/** Reads a profile; fails with the reason where it is absent or cannot be read. */
export async function readProfile(checkout: Checkout, name: string): Promise<Result<Profile, string>> {
  const { layout, settings, common } = checkout;
  try {
    return ok(await loadProfile(layout.ai, settings.manifest, name, common.cache));
  } catch (error) {
    return failed(reasonOf(error));
  }
}

/** How often a task is to be checkpointed: the profile's word, else the policy's. */
export function intervalOf(checkout: Pick<Checkout, "settings">, profile: Profile | undefined): string {
  return profile?.checkpoint_interval ?? checkout.settings.policy.profiles.checkpoint_interval_default;
}
