import { join } from "node:path";
import type { Checkout } from "../checkout/checkout.ts";
import { registrationName } from "../checkout/common.ts";
import { makeDirectory } from "../fs/write.ts";

/** The lock under which one provider session's episode is opened, changed and sealed. */
export function episodeLock(checkout: Pick<Checkout, "common">, provider: string, rawId: string): string {
  makeDirectory(checkout.common.locks, 0o700);
  return join(checkout.common.locks, `episode-${registrationName(provider, rawId)}`);
}
