import type { Checkout } from "../checkout/checkout.ts";
import { openCheckout } from "../checkout/open.ts";
import type { Registration } from "../journal/registration.ts";
import { readWorktreeMap, whereaboutsOf } from "../journal/whereabouts.ts";
import type { Steps } from "./steps.ts";

/**
 * The checkout in whose store an episode lives, wherever its events come from (decisions.md 1.6).
 *
 * @returns `gone` when its worktree is, here or in the repository that it belongs to; undefined when the sibling could not be opened, which is receipted
 */
export async function homeOfEpisode(
  checkout: Checkout,
  registration: Registration,
  steps: Steps,
): Promise<Checkout | "gone" | undefined> {
  const whereabouts = whereaboutsOf(checkout, registration, readWorktreeMap(checkout));
  if (whereabouts.kind === "gone") return "gone";
  if (whereabouts.kind === "here") return checkout;
  const { worktree } = whereabouts;
  if (worktree === undefined) return "gone";
  return steps.run("sibling", () => openCheckout(worktree.path, checkout));
}
