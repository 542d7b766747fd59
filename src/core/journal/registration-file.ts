import { join } from "node:path";
import { registrationName } from "../checkout/common.ts";
import type { CommonPaths } from "../checkout/common.ts";
import { refuseFollowed } from "../fs/linked.ts";
import { listDirectory, isPresent } from "../fs/read.ts";
import { touchFile } from "../fs/write.ts";

/** Where the registration of a provider session stands while its episode is open. */
export function registrationPath(common: CommonPaths, provider: string, rawId: string): string {
  return join(common.episodes, `${registrationName(provider, rawId)}.json`);
}

/** Whether a provider session has an open episode in this repository; the file is not read for it. */
export function isRegistered(common: CommonPaths, provider: string, rawId: string): boolean {
  return isPresent(registrationPath(common, provider, rawId));
}

/** Says that the episode lives; an absent registration is no error. */
export function heartbeat(common: CommonPaths, provider: string, rawId: string, now: number): boolean {
  refuseFollowed([common.root, common.episodes]);
  return touchFile(registrationPath(common, provider, rawId), now);
}

/** Names of the ended registrations of one provider session, oldest first. */
export function endedNames(common: CommonPaths, provider: string, rawId: string): string[] {
  const needle = `~${registrationName(provider, rawId)}~`;
  return listDirectory(common.ended).filter((name) => name.includes(needle));
}
