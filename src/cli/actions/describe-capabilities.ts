import { describeCapability } from "../../core/capabilities/describe.ts";
import type { CapabilityDescription } from "../../core/capabilities/describe.ts";
import { CAPABILITIES } from "../../core/capabilities/registry.ts";

/** The registry as data for programs: every capability, by id. */
export function describeCapabilities(): CapabilityDescription[] {
  return CAPABILITIES.map(describeCapability).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
