import { areMany } from "../core/capsule/many.ts";
import type { Capability } from "../core/capabilities/capability.ts";
import { askIn, openHere } from "./ask.ts";
import { askInPool } from "./ask-pool.ts";
import type { CommandContext } from "./declaration.ts";

/**
 * Asks something about every capsule: in the pool where they are many.
 *
 * @returns undefined when it was interrupted.
 * @throws MajordomusError as {@link openHere}.
 */
export async function askCapsules<Value>(
  context: CommandContext,
  capability: Capability<Record<string, never>, Value>,
): Promise<Value | undefined> {
  const checkout = await openHere(context, "read");
  return areMany(checkout)
    ? askInPool(context, capability, {}, "capsule(s)")
    : askIn(checkout, capability, {});
}
