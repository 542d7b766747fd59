import * as z from "zod/mini";
import { VERSION } from "../base/version.ts";
import { judgeHolder } from "../fs/process.ts";
import type { Executable } from "./executable.ts";
import { readLease, shownLease } from "./lease.ts";
import type { Lease, LeaseReading, LeasePlace } from "./lease.ts";

/** Where the server of a checkout stands (records.md 15); `foreign` is a lease that is not ours to judge. */
export const ServerStanding = z.enum(["absent", "starting", "ready", "outdated", "stale", "foreign"]);
export type ServerStanding = z.infer<typeof ServerStanding>;

export interface ServerJudgement {
  standing: ServerStanding;
  /** Why, in one clause. */
  note: string;
  /** The lease, where it is one of ours. */
  lease?: Lease;
  /** Whether another server may take the lease's place. */
  replaceable: boolean;
  /** The process that the lease names cannot be judged from here: only an answer of the server can tell. */
  unproved?: boolean;
}

function stale(lease: Lease, note: string): ServerJudgement {
  return { standing: "stale", note, lease, replaceable: true };
}

/** Whether the program that would be started now is another one than the one that runs. */
function outdated(lease: Lease, executable: Executable): ServerJudgement | undefined {
  const samePlace = lease.executable === executable.path;
  if (samePlace && executable.build !== undefined && lease.build !== executable.build) {
    const note = `process ${lease.pid} runs a build of ${lease.executable} that was replaced`;
    return { standing: "outdated", note, lease, replaceable: true };
  }
  if (samePlace || lease.version === VERSION) return undefined;
  const note = `process ${lease.pid} runs version ${lease.version} of ${lease.executable}`;
  return { standing: "outdated", note, lease, replaceable: false };
}

/**
 * Judges a lease by facts of this machine alone: nothing is asked over a connection.
 *
 * @param executable what would be started in its place, where that is known.
 */
export function judgeReading(
  reading: LeaseReading,
  root: string,
  shown: string,
  executable: Executable | undefined,
): ServerJudgement {
  if (reading.kind === "absent") {
    return { standing: "absent", note: "no server runs for this checkout", replaceable: true };
  }
  if (reading.kind === "foreign") {
    return { standing: "foreign", note: `${shown} ${reading.reason}`, replaceable: false };
  }
  const { lease } = reading;
  if (lease.root !== root) return stale(lease, `the lease was copied from ${lease.root}`);
  const verdict = judgeHolder(lease);
  if (verdict === "gone") return stale(lease, `process ${lease.pid} ended and left its lease`);
  const unproved = verdict === "unknown" ? { unproved: true } : {};
  if (lease.state === "starting" || lease.url === undefined) {
    const note = `process ${lease.pid} is starting`;
    return { standing: "starting", note, lease, replaceable: false, ...unproved };
  }
  const replaced = executable === undefined ? undefined : outdated(lease, executable);
  if (replaced !== undefined) return { ...replaced, ...unproved };
  const note = `process ${lease.pid} answers at ${lease.url}`;
  return { standing: "ready", note, lease, replaceable: false, ...unproved };
}

/** Judges the lease of a checkout by facts of this machine alone. */
export function judgeLease(checkout: LeasePlace, executable?: Executable): ServerJudgement {
  return judgeReading(readLease(checkout), checkout.root, shownLease(checkout), executable);
}

/** Where a server stands, in the words that a worker is told (records.md 10). */
export function serverLine({ standing, note, lease, unproved }: ServerJudgement): string {
  if (lease !== undefined && unproved === true) {
    return `not ensured: process ${lease.pid} cannot be seen from here; \`majordomus serve ensure\` asks it`;
  }
  if (standing === "ready" && lease?.url !== undefined) return readyLine(lease.url, lease.pid);
  if (standing === "starting") return lease === undefined ? note : `starting pid ${lease.pid}`;
  return `not ensured: ${note}`;
}

/** The line of a server that can be asked. */
export function readyLine(url: string, pid: number): string {
  return `ready ${url} pid ${pid}`;
}
