import type { Manifest } from "./manifest.ts";
import type { Policy } from "./policy.ts";
import type { Switches } from "./switches.ts";

/** How a layer wants to be kept: read once for a checkout. */
export interface Settings {
  manifest: Manifest;
  policy: Policy;
  switches: Switches;
}
