import { dirname } from "node:path";
import type { Site } from "../checkout/checkout.ts";
import { drainSpool } from "../journal/spool.ts";
import type { Drained } from "../journal/spool.ts";
import { appendHeld } from "../ledger/append.ts";

/** Appends to the ledgers what earlier events had to put aside; every command and most events begin with it. */
export function drainWaiting(site: Pick<Site, "common" | "patience" | "clock">): Drained {
  return drainSpool(site.common, site.patience, (target, lines, lock) => {
    appendHeld({ ledger: target, locks: dirname(lock.path), clock: site.clock }, lines, lock);
  });
}
