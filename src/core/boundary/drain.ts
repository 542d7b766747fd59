import { dirname } from "node:path";
import type { Site } from "../checkout/checkout.ts";
import { drainSpool } from "../journal/spool.ts";
import type { Drained } from "../journal/spool.ts";
import { appendDeferred } from "../ledger/deferred.ts";

/** Appends to the ledgers what earlier events had to put aside; every command and most events begin with it. */
export function drainWaiting(site: Pick<Site, "common" | "patience" | "clock">): Drained {
  return drainSpool(site.common, site.patience, (target, waiting, lock, forget) => {
    appendDeferred({ ledger: target, locks: dirname(lock.path), clock: site.clock }, waiting, lock, forget);
  });
}
