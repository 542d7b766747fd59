import type { Output } from "./output.ts";

/** What an act asked to be made good if its answer does not arrive. */
export class Amends {
  readonly #amends: (() => string)[] = [];

  readonly ifUnheard = (amend: () => string): void => {
    this.#amends.push(amend);
  };

  /** Once everything was written: where standard output did not take it, makes good what rests on it, and says so. */
  settle(output: Output): void {
    if (!output.readerGone.aborted) return;
    for (const amend of this.#amends.splice(0)) output.warn(amend());
  }
}
