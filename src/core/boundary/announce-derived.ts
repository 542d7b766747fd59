import type { Checkout } from "../checkout/checkout.ts";
import type { RosterEntry } from "../journal/roster.ts";
import { announceWork } from "../task/work-facts.ts";
import type { Instant } from "./instant.ts";
import { episodeStart } from "./work-lines.ts";

/** Tells git what the derived records of an episode will ask, before anything is asked. */
export function announceDerived(checkout: Checkout, entry: RosterEntry, { moment }: Instant): void {
  announceWork(checkout, moment, episodeStart(entry));
}
