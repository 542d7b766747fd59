import { MemoryRootError } from "../capsule/memory-declaration.ts";
import { openMemory } from "../capsule/memory-tree.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { SearchAnswer, SearchInput } from "../health/search/answers.ts";
import { searchRecords } from "../health/search/search.ts";
import { defineCapability } from "./capability.ts";

/** The directory of capsules; none where there is no telling where memory lies. */
function capsulesOf(checkout: Checkout): string | undefined {
  try {
    return openMemory(checkout).capsules;
  } catch (error) {
    if (error instanceof MemoryRootError) return undefined;
    throw error;
  }
}

export const searchRun = defineCapability({
  id: "search.run",
  title: "A text in the records and the ledger, taken literally, by kind",
  effect: "read",
  weight: "heavy",
  input: SearchInput,
  output: SearchAnswer,
  run: ({ checkout, signal }, input) => searchRecords(checkout, input, signal, capsulesOf(checkout)),
});
