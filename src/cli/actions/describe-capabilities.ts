import * as z from "zod/mini";
import { CAPABILITIES } from "../../core/capabilities/registry.ts";

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

/** The registry as data for programs: every capability with the JSON Schemas of its input and answer. */
export function describeCapabilities(): CapabilityDescription[] {
  return CAPABILITIES.map(({ id, title, effect, weight, input, output }) => ({
    id,
    title,
    effect,
    weight,
    input: z.toJSONSchema(input, { io: "input" }),
    output: z.toJSONSchema(output),
  })).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
