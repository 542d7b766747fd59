import { move, transferableSymbol, valueSymbol } from "piscina";
import { tallyRange } from "../src/core/ledger/ranges.ts";
import type { LedgerRange } from "../src/core/ledger/ranges.ts";

/** What a thread of the pool counts: one range of a ledger. Its numbers are handed over, not copied. */
export function tally({ path, range }: { path: string; range: LedgerRange }): unknown {
  const packed = tallyRange(path, range);
  return move({
    [transferableSymbol]: Object.values(packed.columns).map(({ buffer }) => buffer as ArrayBuffer),
    [valueSymbol]: packed,
  });
}
