import type { Checkout } from "../checkout/checkout.ts";
import { quoteValue } from "./quote.ts";
import { readMemory } from "./read-model.ts";
import { giveBackUnheard } from "./spend.ts";
import type { Spending } from "./spend.ts";

/**
 * Gives a capsule of this checkout back whose procedure did not arrive.
 *
 * @returns what came of it, in one clause.
 */
export function giveBackHere(checkout: Checkout, spending: Spending): string {
  const memory = readMemory(checkout);
  return "tree" in memory
    ? giveBackUnheard(memory.tree, checkout, spending)
    : `${quoteValue(spending.name, 120)} stays spent: ${memory.fault}`;
}
