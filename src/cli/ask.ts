import type * as z from "zod/mini";
import { EXIT, MajordomusError } from "../core/base/error.ts";
import { runCapability } from "../core/capabilities/run.ts";
import type { Checkout } from "../core/checkout/checkout.ts";
import { openCheckout } from "../core/checkout/open.ts";
import type { CommandContext } from "./declaration.ts";

/**
 * Opens the checkout that a command works on.
 *
 * @throws MajordomusError 2 outside a git work tree, 12 without `.ai/manifest.yaml`, 10 for bad settings.
 */
export function openHere({ directory, surroundings }: CommandContext): Promise<Checkout> {
  return openCheckout(directory, surroundings);
}

/**
 * Asks a capability, and reads its answer by the schema that the command was written for.
 *
 * @throws MajordomusError what the capability throws; 13 for an answer of another shape.
 */
export async function askCapability<Value>(
  checkout: Checkout,
  id: string,
  input: Readonly<Record<string, unknown>>,
  schema: z.ZodMiniType<Value>,
): Promise<Value> {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const answer = schema.safeParse(await runCapability(checkout, id, given));
  if (answer.success) return answer.data;
  const issue = answer.error.issues[0];
  throw new MajordomusError({
    code: "capability.answer",
    exit: EXIT.internal,
    subject: id,
    message: `answered in an unknown shape: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`.trim(),
  });
}

/** Opens the checkout that a command works on, and asks it one thing. */
export async function ask<Value>(
  context: CommandContext,
  id: string,
  input: Readonly<Record<string, unknown>>,
  schema: z.ZodMiniType<Value>,
): Promise<Value> {
  return askCapability(await openHere(context), id, input, schema);
}
