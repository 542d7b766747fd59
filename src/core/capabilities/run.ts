import { NEVER } from "../base/cancellation.ts";
import { EXIT, MajordomusError } from "../base/error.ts";
import type { Checkout } from "../checkout/checkout.ts";
import type { CapabilityContext } from "./capability.ts";
import { locateCapability } from "./locate.ts";

export type RunOptions = Partial<Pick<CapabilityContext, "signal" | "progress">>;

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
    const issue = parsed.error.issues[0];
    throw new MajordomusError({
      code: "capability.input",
      exit: EXIT.usage,
      subject: `${id} ${issue?.path.join(".") ?? ""}`.trim(),
      message: issue?.message ?? "the input does not fit",
      remedy: `\`majordomus capabilities --json\` shows what ${id} takes`,
    });
  }
  const signal = options.signal ?? NEVER;
  return capability.run({ checkout, signal, progress: options.progress ?? (() => undefined) }, parsed.data);
}
