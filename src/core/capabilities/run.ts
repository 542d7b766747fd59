import { NEVER } from "../base/cancellation.ts";
import { EXIT, MajordomusError } from "../base/error.ts";
import type { Checkout } from "../checkout/checkout.ts";
import type { CapabilityContext } from "./capability.ts";
import { locateCapability } from "./locate.ts";
import { misfitOf } from "./misfit.ts";

export type RunOptions = Partial<Pick<CapabilityContext, "signal" | "progress" | "ifUnheard">>;

/**
 * Runs a capability in this process: the input is checked against its schema first.
 *
 * @throws MajordomusError 2 for an unknown id or an input that does not fit; whatever the capability throws.
 */
export async function runCapability(
  checkout: Checkout,
  id: string,
  input: unknown,
  options: RunOptions = {},
): Promise<unknown> {
  const capability = await locateCapability(id);
  const parsed = capability.input.safeParse(input);
  if (!parsed.success) {
    const { path, message } = misfitOf(capability, input);
    throw new MajordomusError({
      code: "capability.input",
      exit: EXIT.usage,
      subject: `${id} ${path}`.trim(),
      message,
      remedy: `\`majordomus capabilities --json\` shows what ${id} takes`,
    });
  }
  const signal = options.signal ?? NEVER;
  const { progress = () => undefined, ifUnheard } = options;
  const context = { checkout, signal, progress, ...(ifUnheard === undefined ? {} : { ifUnheard }) };
  return capability.run(context, parsed.data);
}
