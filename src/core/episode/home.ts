import type { Checkout } from "../checkout/checkout.ts";
import { openCheckout } from "../checkout/open.ts";
import { readRoster } from "../journal/roster.ts";
import type { RosterEntry } from "../journal/roster.ts";

/** The checkout in whose store an open episode lies: this one, or the sibling worktree that opened it. */
export async function homeOf(checkout: Checkout, entry: RosterEntry): Promise<Checkout> {
  return entry.whereabouts.kind === "sibling" && !entry.here
    ? openCheckout(entry.whereabouts.worktree.path, checkout)
    : checkout;
}

/** The same by id; this checkout for an episode that is not open. */
export async function homeOfSession(checkout: Checkout, sessionId: string): Promise<Checkout> {
  const entry = readRoster(checkout).entries.find((candidate) => candidate.sessionId === sessionId);
  return entry === undefined ? checkout : homeOf(checkout, entry);
}
