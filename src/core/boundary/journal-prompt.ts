import { logError } from "../capsule/errors-log.ts";
import { isInUse, openMemory } from "../capsule/memory-tree.ts";
import { appendJournal } from "../capsule/prompt-journal.ts";
import { reasonOf } from "../base/error.ts";
import type { Site } from "../checkout/checkout.ts";
import { openSite } from "../checkout/open.ts";
import type { LifecycleEvent } from "./event.ts";

/**
 * Keeps a prompt in the journal, before the model sees it, where the switch is on. Prints nothing, ever.
 *
 * @returns why it was not kept; undefined when it was.
 */
export async function journalPrompt(site: Site, event: LifecycleEvent): Promise<string | undefined> {
  const { settings } = await openSite(site);
  if (!settings.switches.prompt_journal) return "the switch is off";
  const tree = openMemory(site);
  if (!isInUse(tree)) return "this install has no memory tree";
  try {
    const fact = { session: event.session ?? "", source: "prompt", prompt: event.prompt } as const;
    return appendJournal(tree, fact, site) ? undefined : "LIFECYCLE_KILL_JOURNAL is set";
  } catch (error) {
    logError(tree, site.clock, "prompt-journal", reasonOf(error));
    throw error;
  }
}
