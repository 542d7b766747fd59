import type { Checkout } from "../checkout/checkout.ts";
import { Moment } from "../git/moment.ts";
import { RecordShelf } from "../ledger/record-shelf.ts";

/** What the steps of one event share: git's answers and the records, each read once. */
export interface Instant {
  moment: Moment;
  shelf: RecordShelf;
}

export function instantOf(checkout: Checkout): Instant {
  return { moment: new Moment(checkout.repository, checkout.head), shelf: new RecordShelf(checkout) };
}
