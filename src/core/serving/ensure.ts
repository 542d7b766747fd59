import { setTimeout as sleep } from "node:timers/promises";
import type { Cancellation } from "../base/cancellation.ts";
import { NEVER } from "../base/cancellation.ts";
import { endServer } from "./end-server.ts";
import type { Executable } from "./executable.ts";
import type { Lease, LeasePlace } from "./lease.ts";
import { probeServer } from "./probe.ts";
import { startServer } from "./start-server.ts";

export interface EnsureRequest {
  executable: Executable;
  /** Seconds without a client after which a started server ends; its own default when absent. */
  idleSeconds?: number | undefined;
  /** The port that a started server tries first. */
  port?: number | undefined;
  /** How long may be waited for a server that starts, in milliseconds. */
  waitMilliseconds: number;
  signal?: Cancellation;
}

export type Ensured = { ensured: true; lease: Lease } | { ensured: false; reason: string };

const LOOK_MILLISECONDS = 25;
/** Asked to end, a server that says nothing any more is given this long before it is killed. */
const SILENT_MILLISECONDS = 300;
/** A server that ends at once would do so again. */
const STARTS = 2;

const LOG_HINT = "`server.log` beside the lease says why";

/**
 * Sees to it that a server answers this checkout: the one that does, or a new one in the place of a dead, silent or
 * replaced one. What is built is started, nothing is ever built.
 */
export async function ensureServer(checkout: LeasePlace, request: EnsureRequest): Promise<Ensured> {
  const { executable, waitMilliseconds, signal = NEVER } = request;
  const deadline = performance.now() + waitMilliseconds;
  const started = new Set<number>();
  for (;;) {
    const judged = await probeServer(checkout, executable);
    const { standing, lease, note } = judged;
    if (standing === "ready" && lease !== undefined) return { ensured: true, lease };
    if (standing === "foreign") return { ensured: false, reason: note };
    if (standing === "outdated" && !judged.replaceable) {
      return { ensured: false, reason: `${note}; another installation may not replace it` };
    }
    if (signal.aborted) return { ensured: false, reason: "it was interrupted" };
    const late = performance.now() >= deadline;
    // The one that was started just now is slow rather than dead, where the machine is busy.
    const isSlow = judged.silent === true && lease !== undefined && started.has(lease.pid);
    if ((standing === "starting" || isSlow) && !late) {
      await sleep(LOOK_MILLISECONDS);
      continue;
    }
    // Of one that starts where we cannot look nothing more is to be learned than that it never came.
    if (standing === "starting" && judged.unproved !== true) {
      return { ensured: false, reason: `${note}, still after ${waitMilliseconds / 1000} s` };
    }
    if (started.size >= STARTS) return { ensured: false, reason: `${note}; ${LOG_HINT}` };
    if (judged.silent === true && lease !== undefined) await endServer(lease, SILENT_MILLISECONDS);
    const outcome = startServer(checkout, {
      executable,
      idleSeconds: request.idleSeconds,
      port: request.port,
      dead: lease?.token,
      waitMilliseconds: checkout.patience.remaining(),
    });
    if (outcome.state === "failed") return { ensured: false, reason: outcome.reason };
    if (outcome.state === "started") started.add(outcome.pid);
  }
}
