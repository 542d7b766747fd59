import type { Spending } from "../core/capsule/spend.ts";
import type { Ask } from "./options.ts";

/** How long an act that is under way when the console is left is waited for, in milliseconds. */
const PATIENCE_MILLISECONDS = 2000;

/**
 * What was spent for an answer that does not stand on the screen yet: it is given back where it never will. A console
 * that is killed without a word cannot; the next clear names the capsule among those that were resumed already.
 */
export class Unshown {
  readonly #giveBack: Ask["giveBack"];
  readonly #held: { root: string; spendings: readonly Spending[] }[] = [];
  #act: Promise<unknown> = Promise.resolve();
  #giving: Promise<unknown> = Promise.resolve();

  constructor({ giveBack }: Pick<Ask, "giveBack">) {
    this.#giveBack = giveBack;
  }

  /** Remembers which act is under way. */
  during<Value>(act: Promise<Value>): Promise<Value> {
    this.#act = act;
    return act;
  }

  hold(root: string, spendings: readonly Spending[]): void {
    this.#held.push({ root, spendings });
  }

  /** It stands on the screen. */
  shown(): void {
    this.#held.length = 0;
  }

  /** @returns what came of it, in one line; undefined where nothing was held. */
  giveBack(): Promise<string | undefined> {
    const giving = this.#give();
    this.#giving = giving;
    return giving;
  }

  async #give(): Promise<string | undefined> {
    const said: string[] = [];
    for (const { root, spendings } of this.#held.splice(0)) {
      said.push((await this.#giveBack?.(root, spendings)) ?? "");
    }
    return said.length === 0 ? undefined : said.join("; ");
  }

  /** At the console's end: lets what is under way come to its end, and gives back what was not shown. */
  async end(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MILLISECONDS);
    });
    await Promise.race([this.#act, patience]);
    clearTimeout(timer);
    await this.#giving;
    await this.giveBack();
  }
}
