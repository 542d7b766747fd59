import { NEVER } from "../base/cancellation.ts";
import { EXIT, MajordomusError } from "../base/error.ts";
import type { Checkout } from "../checkout/checkout.ts";
import type { Capability, CapabilityContext } from "./capability.ts";
import { CAPABILITIES } from "./registry.ts";

export type RunOptions = Partial<Pick<CapabilityContext, "signal" | "progress">>;

/**
 * The declaration of an id.
 *
 * @throws MajordomusError 2 for an id that nothing declares.
 */
export function findCapability(id: string): Capability {
  const capability = CAPABILITIES.find((candidate) => candidate.id === id);
  if (capability !== undefined) return capability;
  throw new MajordomusError({
    code: "capability.unknown",
    exit: EXIT.usage,
    subject: id,
    message: "is not a capability",
    remedy: "`majordomus capabilities` lists them",
  });
}

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
  const capability = findCapability(id);
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
