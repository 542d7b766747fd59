import type * as z from "zod/mini";
import type { Cancellation } from "../base/cancellation.ts";
import type { Spending } from "../capsule/spend.ts";
import type { Checkout } from "../checkout/checkout.ts";

export interface Progress {
  done: number;
  total?: number;
  what: string;
}

/** What a capability runs with, beside its input. */
export interface CapabilityContext {
  checkout: Checkout;
  signal: Cancellation;
  progress: (progress: Progress) => void;
  /** Is told of a spend, which rests on its answer being read: for who can tell that the answer did not arrive. */
  ifUnheard?: (spending: Spending) => void;
}

/** What is true of an act beside that it writes; what is absent is not. */
export interface ActNature {
  /** Something that was there may be gone afterwards, or cannot be had back by another act. */
  destructive?: true;
  /** Done twice with the same input, it leaves what doing it once leaves. */
  idempotent?: true;
  /** It reaches beyond this machine's checkout: a remote, a command of the repository's own. */
  outside?: true;
}

/**
 * Something that a surface can show or do, declared once. The command line, the console, the pool and
 * every later surface are drawn from the declaration and work nothing out for themselves.
 */
export interface Capability<Input = unknown, Output = unknown> {
  id: string;
  title: string;
  effect: "read" | "write";
  /** The words under which surfaces offer it, where they are not those of its id: `continuity`. */
  address?: string;
  /** What a caller should know of an act; nothing of this is true of a reading. */
  nature?: ActNature;
  /** Light ones are answered in the asking process, heavy ones in the worker pool. */
  weight: "light" | "heavy";
  input: z.ZodMiniType<Input>;
  output: z.ZodMiniType<Output>;
  run: (context: CapabilityContext, input: Input) => Output | Promise<Output>;
}

/** Declares a capability; the types of its input and answer follow from their schemas. */
export function defineCapability<Input, Output>(
  capability: Capability<Input, Output>,
): Capability<Input, Output> {
  return capability;
}
