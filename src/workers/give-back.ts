import { reasonOf } from "../core/base/error.ts";
import { giveBackHere } from "../core/capsule/give-back-here.ts";
import type { Spending } from "../core/capsule/spend.ts";
import { openCheckout } from "../core/checkout/open.ts";
import { surroundingsOf } from "./surroundings.ts";

/**
 * Gives back what was spent for an answer that reached nobody.
 *
 * @returns what came of it, in one clause for each.
 * @throws nothing: whatever stands in its way is what came of it.
 */
export async function giveBackSpent(
  root: string,
  environment: Readonly<Record<string, string | undefined>>,
  spendings: readonly Spending[],
): Promise<string> {
  try {
    const checkout = await openCheckout(root, surroundingsOf(environment));
    return spendings.map((spending) => giveBackHere(checkout, spending)).join("; ");
  } catch (error) {
    return `what was spent stays spent: ${reasonOf(error)}`;
  }
}
