import { askServer } from "./ask-server.ts";
import type { Executable } from "./executable.ts";
import type { Lease, LeasePlace } from "./lease.ts";
import { judgeLease } from "./standing.ts";
import type { ServerJudgement } from "./standing.ts";

/** A server on this machine answers in a few milliseconds; a busy machine gets its time. */
const PROBE_MILLISECONDS = 1000;

/** Whether what answers at a lease's address is the server of this lease: ours, this checkout's, this process. */
async function isAnsweredBy(lease: Lease): Promise<{ yes: true } | { yes: false; reason: string }> {
  const reply = await askServer(lease, {
    method: "GET",
    path: "/api/v1/server",
    timeout: PROBE_MILLISECONDS,
  });
  if (!reply.ok) return { yes: false, reason: reply.error };
  const { status, value } = reply.value;
  const said = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  if (status === 200 && said["root"] === lease.root && said["pid"] === lease.pid) return { yes: true };
  return { yes: false, reason: `another program answers at ${lease.url ?? "its address"}` };
}

/** What was learned by asking, beside the judgement. */
export interface ProbedJudgement extends ServerJudgement {
  /** The process of the lease runs and says nothing: it has to be ended before another takes its place. */
  silent?: boolean;
}

/**
 * Judges the server of a checkout, and asks the one that should answer whether it does.
 *
 * @param executable what would be started in its place, where that is known.
 */
export async function probeServer(checkout: LeasePlace, executable?: Executable): Promise<ProbedJudgement> {
  const judged = judgeLease(checkout, executable);
  const { lease, standing, unproved } = judged;
  if (lease === undefined || standing === "absent" || standing === "stale") return judged;
  // Nothing tells whether it starts, and nobody can be asked: another start finds out.
  if (standing === "starting") return judged;
  const answered = await isAnsweredBy(lease);
  if (answered.yes) return { ...judged, unproved: false };
  return {
    standing: "stale",
    lease,
    replaceable: true,
    note:
      unproved === true
        ? `process ${lease.pid} cannot be seen from here and does not answer at ${lease.url ?? "-"} (${answered.reason})`
        : `process ${lease.pid} runs and does not answer at ${lease.url ?? "-"} (${answered.reason})`,
    ...(unproved === true ? {} : { silent: true }),
  };
}
