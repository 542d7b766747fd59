import type { Checkout } from "../checkout/checkout.ts";
import { listCapsules } from "./files.ts";
import { readMemory } from "./read-model.ts";

/** More files than these are judged in the worker pool. */
const FEW = 200;

/** Whether so many capsules lie in a work tree's memory that to judge them is heavy work; one listing tells. */
export function areMany(place: Pick<Checkout, "root" | "environment">): boolean {
  const memory = readMemory(place);
  if ("fault" in memory) return false;
  const entries = listCapsules(memory.tree.capsules);
  return entries.ok && entries.value.length > FEW;
}
