import { tallyRange } from "../src/core/ledger/ranges.ts";
import type { LedgerRange } from "../src/core/ledger/ranges.ts";
import type { PackedTally } from "../src/core/ledger/packed-tally.ts";

/** What a thread of the pool counts: one range of a ledger. */
export function tally({ path, range }: { path: string; range: LedgerRange }): PackedTally {
  return tallyRange(path, range);
}
