import { EXIT } from "../core/base/error.ts";
import type { Output } from "./output.ts";

/** What an act asked to be made good if its answer does not arrive. */
export class Amends {
  readonly #amends: (() => string)[] = [];

  readonly ifUnheard = (amend: () => string): void => {
    this.#amends.push(amend);
  };

  /**
   * Once everything was written: where standard output did not take it, makes good what rests on it, and says so.
   *
   * @returns 10 where that was needed: what was asked for did not come about, whoever left. A fault of the output has a
   *   status of its own.
   */
  settle(output: Output): typeof EXIT.ok | typeof EXIT.finding {
    if (!output.readerGone.aborted) return EXIT.ok;
    const amends = this.#amends.splice(0);
    for (const amend of amends) output.warn(amend());
    return amends.length > 0 && output.fault() === undefined ? EXIT.finding : EXIT.ok;
  }
}
