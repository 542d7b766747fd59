import { MemoryRootError } from "../capsule/memory-declaration.ts";
import { openMemory } from "../capsule/memory-tree.ts";
import type { MemoryTree } from "../capsule/memory-tree.ts";
import type { Checkout } from "../checkout/checkout.ts";

/** The memory of this checkout; none where there is no telling where it lies. */
export function memoryOf(checkout: Checkout): MemoryTree | undefined {
  try {
    return openMemory(checkout);
  } catch (error) {
    if (error instanceof MemoryRootError) return undefined;
    throw error;
  }
}

/** Where the declaration of the memory root stands. */
const DECLARATION = ".aigent";

/**
 * Directories outside the layer that the program writes by itself, relative to the repository: no task is to
 * blame for what a hook saves there.
 */
export function ownPaths(checkout: Checkout): string[] {
  const relative = memoryOf(checkout)?.memory.relative ?? "";
  return relative === "" || relative === "." ? [DECLARATION] : [DECLARATION, relative];
}
