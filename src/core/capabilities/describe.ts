import * as z from "zod/mini";
import type { Capability } from "./capability.ts";

export interface CapabilityDescription {
  id: string;
  title: string;
  effect: "read" | "write";
  weight: "light" | "heavy";
  /** JSON Schema of what it takes. */
  input: unknown;
  /** JSON Schema of what it answers. */
  output: unknown;
}

/** A capability as data for programs, with the JSON Schemas of its input and answer. */
export function describeCapability({
  id,
  title,
  effect,
  weight,
  input,
  output,
}: Capability): CapabilityDescription {
  return {
    id,
    title,
    effect,
    weight,
    input: z.toJSONSchema(input, { io: "input" }),
    output: z.toJSONSchema(output),
  };
}
