import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { lastResortLog } from "../core/journal/last-resort.ts";

/**
 * The last resort of a hook that could not even leave a receipt: one line in the user's state directory.
 * It must neither fail the provider nor write to a stream that the provider reads.
 */
export function complain(
  environment: Readonly<Record<string, string | undefined>>,
  at: string,
  reason: string,
): void {
  try {
    const log = lastResortLog(environment);
    if (log === undefined) return;
    mkdirSync(dirname(log), { recursive: true, mode: 0o700 });
    appendFileSync(log, `${at} ${reason.replaceAll(/\s+/g, " ").slice(0, 1000)}\n`, { mode: 0o600 });
  } catch {
    // Nothing is left that could be told.
  }
}
