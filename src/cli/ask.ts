import { reasonOf } from "../core/base/error.ts";
import { sharedPatience } from "../core/base/patience.ts";
import { drainWaiting } from "../core/boundary/drain.ts";
import { misfitOf } from "../core/capabilities/misfit.ts";
import type { Capability, CapabilityContext } from "../core/capabilities/capability.ts";
import type { Checkout } from "../core/checkout/checkout.ts";
import { openCheckout } from "../core/checkout/open.ts";
import type { CommandContext } from "./declaration.ts";
import { usageError } from "./failure.ts";

/** An input whose optional members may also be given as undefined, as options are. */
type Given<Input> = { [Key in keyof Input]: Input[Key] | undefined };

/** What a command that only reads waits for others' locks, in milliseconds: it can answer without them. */
const READING_PATIENCE = 300;

/**
 * Opens the checkout that a command works on, and appends what earlier hooks had to put aside. A command that
 * reads does not wait long for that: it answers from what stands, and says that something is still to come.
 *
 * @throws MajordomusError 2 outside a git work tree, 12 without `.ai/manifest.yaml`, 10 for bad settings.
 */
export async function openHere(
  { directory, surroundings, output }: CommandContext,
  effect: Capability["effect"] = "write",
): Promise<Checkout> {
  const checkout = await openCheckout(directory, surroundings);
  const patience = effect === "read" ? sharedPatience(READING_PATIENCE) : checkout.patience;
  try {
    const { left } = drainWaiting({ ...checkout, patience });
    if (left > 0) output.warn(`${left} deferred write(s) to the ledger still wait: its lock is held`);
  } catch (error) {
    // What waits goes on waiting; the command itself may need none of it.
    output.warn(`deferred writes to the ledger still wait: ${reasonOf(error)}`);
  }
  return checkout;
}

/**
 * Asks a capability in this process.
 *
 * @throws MajordomusError 2 for an input that does not fit; whatever the capability throws.
 */
export async function askIn<Input extends object, Answer>(
  checkout: Checkout,
  capability: Capability<Input, Answer>,
  input: Given<Input>,
  more: Pick<CapabilityContext, "ifUnheard"> = {},
): Promise<Answer> {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const parsed = capability.input.safeParse(given);
  if (!parsed.success) {
    const { path, message } = misfitOf(capability, given);
    throw usageError({ subject: path === "" ? capability.id : path, message });
  }
  return capability.run(
    { ...more, checkout, signal: new AbortController().signal, progress: () => undefined },
    parsed.data,
  );
}

/** Opens the checkout that a command works on, and asks it one thing. */
export async function ask<Input extends object, Answer>(
  context: CommandContext,
  capability: Capability<Input, Answer>,
  input: Given<Input>,
  more: Pick<CapabilityContext, "ifUnheard"> = {},
): Promise<Answer> {
  return askIn(await openHere(context, capability.effect), capability, input, more);
}
