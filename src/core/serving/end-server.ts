import { setTimeout as sleep } from "node:timers/promises";
import { withLock } from "../fs/lock.ts";
import { judgeProcess } from "../fs/process.ts";
import { removeFile } from "../fs/write.ts";
import { leaseLockPath, leasePath, readLease } from "./lease.ts";
import type { Lease, LeasePlace } from "./lease.ts";

const LOOK_MILLISECONDS = 20;
/** What a server that was killed needs to be gone. */
const KILLED_MILLISECONDS = 2000;

/** Sends a signal to the very process that a lease names; false when it is gone or cannot be proved to be it. */
function signal(lease: Lease, name: NodeJS.Signals): boolean {
  if (judgeProcess(lease) !== "alive") return false;
  try {
    process.kill(lease.pid, name);
    return true;
  } catch {
    return false;
  }
}

async function isGoneWithin(lease: Lease, milliseconds: number): Promise<boolean> {
  const deadline = performance.now() + milliseconds;
  while (judgeProcess(lease) === "alive") {
    if (performance.now() >= deadline) return false;
    await sleep(LOOK_MILLISECONDS);
  }
  return true;
}

/**
 * Ends the process of a lease: asked first, killed when it does not go within the time. Its number alone is never
 * believed: the start time, boot and namespace must be the lease's.
 *
 * @returns whether it is gone
 */
export async function endServer(lease: Lease, waitMilliseconds: number): Promise<boolean> {
  if (!signal(lease, "SIGTERM")) return judgeProcess(lease) === "gone";
  if (await isGoneWithin(lease, waitMilliseconds)) return true;
  signal(lease, "SIGKILL");
  return isGoneWithin(lease, KILLED_MILLISECONDS);
}

/** Takes away a lease whose server is gone; one that changed hands meanwhile stays. */
export function dropLease(checkout: LeasePlace, { token }: Lease): void {
  withLock(leaseLockPath(checkout), { waitMilliseconds: checkout.patience.remaining() }, () => {
    const reading = readLease(checkout);
    if (reading.kind === "held" && reading.lease.token === token) removeFile(leasePath(checkout));
  });
}
