import type { Checkout } from "../checkout/checkout.ts";
import { Moment } from "../git/moment.ts";
import { readRoster } from "../journal/roster.ts";
import type { Roster } from "../journal/roster.ts";
import { RecordShelf } from "../ledger/record-shelf.ts";

/** What the steps of one event share: git's answers, the records and who is open, each read once. */
export interface Instant {
  moment: Moment;
  shelf: RecordShelf;
  /** Read when it is first asked for: not before the event's own episode was opened. */
  roster: () => Roster;
}

export function instantOf(checkout: Checkout): Instant {
  let roster: Roster | undefined;
  return {
    moment: new Moment(checkout.repository, checkout.head),
    shelf: new RecordShelf(checkout),
    roster: () => (roster ??= readRoster(checkout)),
  };
}
