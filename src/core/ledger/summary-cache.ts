import { summariseLedger } from "./summaries.ts";
import type { LedgerSummaries } from "./summaries.ts";

/**
 * Summaries of this process (or worker thread), by file: a second question reads only what was appended
 * since the first. A cache like any other: dropping it costs time and nothing else.
 */
const known = new Map<string, LedgerSummaries>();
const MAXIMUM_FILES = 256;

/** Everything that one pass over a ledger file tells, continued from the last reading where that still holds. */
export function summarise(path: string): LedgerSummaries {
  const summaries = summariseLedger(path, known.get(path));
  known.delete(path);
  known.set(path, summaries);
  const oldest = known.keys().next();
  if (known.size > MAXIMUM_FILES && oldest.done !== true) known.delete(oldest.value);
  return summaries;
}
