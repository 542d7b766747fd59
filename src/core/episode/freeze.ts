import { join } from "node:path";
import { formatTimestamp } from "../base/time.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { headText } from "../checkout/checkout.ts";
import { createExclusive, makeDirectory } from "../fs/write.ts";
import { workingContextName } from "../records/record-name.ts";
import { storedSessionId } from "../records/session-key.ts";
import { ownTaskOf, readTaskHere } from "../records/task.ts";
import { findWorkingContext, formatWorkingContext } from "../records/working-context.ts";

export interface FreezeFacts {
  sessionId: string;
  provider?: string;
  rawId?: string;
  worker?: string;
}

/**
 * Freezes what the worker was told when its episode opened into the working context document, once
 * (records.md 3.7). What stands is never rewritten.
 *
 * @param build makes the context's text; called only when there is no document yet
 * @returns the document's path, and whether it was written now
 */
export function freezeContext(
  checkout: Checkout,
  facts: FreezeFacts,
  build: () => string,
): { path: string; written: boolean } {
  const standing = findWorkingContext(checkout.layout.contexts, facts.sessionId);
  if (standing !== undefined) return { path: standing, written: false };
  const task = ownTaskOf(readTaskHere(checkout));
  const own = task?.outcome === "active" ? task : undefined;
  const now = checkout.clock.now();
  const stored = facts.rawId === undefined ? undefined : storedSessionId(facts.rawId);
  const text = formatWorkingContext(
    {
      session_id: facts.sessionId,
      opened_at: formatTimestamp(now),
      ...(facts.provider === undefined ? {} : { provider: facts.provider }),
      ...(stored === undefined ? {} : { provider_session: stored }),
      branch: checkout.branch,
      head: headText(checkout),
      task_id: own?.id ?? "none",
      profile: own?.profile ?? "none",
      ...(facts.worker === undefined ? {} : { worker: facts.worker }),
    },
    build(),
  );
  makeDirectory(checkout.layout.contexts);
  const path = join(checkout.layout.contexts, workingContextName(now, facts.sessionId));
  return { path, written: createExclusive(path, text, { mode: 0o600 }) };
}
