import { join } from "node:path";
import { coordinationFile } from "../../core/capsule/coordination.ts";
import { installBaseOf } from "../../core/capsule/install-root.ts";
import { readMemory } from "../../core/capsule/read-model.ts";
import type { Checkout, Surroundings } from "../../core/checkout/checkout.ts";
import { openCheckout } from "../../core/checkout/open.ts";
import { claudeConfigDirectory } from "../../core/installation/claude-config.ts";
import { readWatched } from "../../core/lifecycle/watched.ts";
import { leasePath, readLease } from "../../core/serving/lease.ts";
import { continuityMemory } from "../../core/records/continuity-cache.ts";
import type { WatchPlan } from "../../tui/main.ts";

/** Where capsules lie: nowhere, while it cannot be told where memory does. */
function capsulesOf(checkout: Checkout): string[] {
  const memory = readMemory(checkout);
  return "tree" in memory ? [memory.tree.capsules] : [];
}

/** Who conducts several sessions says so in a file of their own: what a clear would resume depends on it. */
function coordinationOf({ environment, root }: Checkout): string[] {
  return [coordinationFile(environment, installBaseOf(environment, root).base) ?? []].flat();
}

/** Where hooks are installed: what the doctor says of them changes with these. */
function hookSettingsOf({ root, environment }: Checkout): string[] {
  const config = claudeConfigDirectory(environment);
  return [
    join(root, ".claude", "settings.json"),
    join(root, ".claude", "settings.local.json"),
    ...(config === undefined ? [] : [join(config, "settings.json")]),
  ];
}

/** Where records that travel show: the store's reference, and what a person hid on this machine. */
function continuityOf({ repository, common }: Checkout): string[] {
  return [join(repository.commonDir, "refs", "majordomus"), continuityMemory(common.root).hidden];
}

/** The server's process: when it is killed, no file shows it. */
function serverOf(checkout: Checkout): number[] {
  const reading = readLease(checkout);
  return reading.kind === "held" ? [reading.lease.pid] : [];
}

/** What the console looks at in one repository, so that nothing on its screen changes unseen. */
export async function planWatch(root: string, surroundings: Surroundings): Promise<WatchPlan> {
  const checkout = await openCheckout(root, surroundings);
  const { directories, files, processes } = readWatched(checkout);
  return {
    files: [...files, ...hookSettingsOf(checkout), ...coordinationOf(checkout), leasePath(checkout)],
    processes: [...processes, ...serverOf(checkout)],
    directories: [...directories, ...capsulesOf(checkout), ...continuityOf(checkout)],
    pollSeconds: checkout.settings.switches.live.poll_seconds,
  };
}
