import { join } from "node:path";
import type { Site } from "../checkout/checkout.ts";
import { readText } from "../fs/read.ts";

const SWITCHES_BYTES = 256 * 1024;

/**
 * Whether the switches of a checkout say anything of a prompt journal: a look at one small file, for a hook that fires
 * at every prompt. What they say is for the settings to tell.
 */
export function mayKeepPrompts(site: Site): boolean {
  const text = readText(join(site.root, ".ai", "repo", "majordomus.yaml"), { maximumBytes: SWITCHES_BYTES });
  return text.ok && text.value.includes("prompt_journal");
}
