import { EXIT } from "../core/base/error.ts";
import { giveBackHere } from "../core/capsule/give-back-here.ts";
import type { Spending } from "../core/capsule/spend.ts";
import type { Checkout } from "../core/checkout/checkout.ts";
import type { Output } from "./output.ts";

/** What an act spent, to be given back if its answer does not arrive. */
export class Amends {
  readonly #spendings: Spending[] = [];

  readonly ifUnheard = (spending: Spending): void => {
    this.#spendings.push(spending);
  };

  /**
   * Once everything was written: where standard output did not take it, makes good what rests on it, and says so.
   *
   * @returns 10 where that was needed: what was asked for did not come about, whoever left. A fault of the output has a
   *   status of its own.
   */
  settle(output: Output, checkout: Checkout): typeof EXIT.ok | typeof EXIT.finding {
    if (!output.readerGone.aborted) return EXIT.ok;
    const spendings = this.#spendings.splice(0);
    for (const spending of spendings) output.warn(giveBackHere(checkout, spending));
    return spendings.length > 0 && output.fault() === undefined ? EXIT.finding : EXIT.ok;
  }
}
