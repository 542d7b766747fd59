// A process of its own that lives a server's whole life with its lease: it claims, answers, follows, gives back.
import { injectFaults, parseFaultPlan } from "../../../src/core/fs/fault.ts";
import { executableAt } from "../../../src/core/serving/executable.ts";
import { claimLease } from "../../../src/core/serving/hold-lease.ts";
import type { LeasePlace } from "../../../src/core/serving/lease.ts";
import { systemClock } from "../../../src/core/base/clock.ts";
import { steadyPatience } from "../../../src/core/base/patience.ts";
import { systemRandom } from "../../../src/core/base/random.ts";

export interface HolderJob {
  place: Pick<LeasePlace, "root" | "layout" | "common">;
  launcher: string;
  /** The fault that strikes it. */
  plan: string;
}

const job = JSON.parse(process.argv[2] ?? "{}") as HolderJob;
const place: LeasePlace = {
  ...job.place,
  environment: {},
  clock: systemClock,
  random: systemRandom,
  patience: steadyPatience(10_000),
};
injectFaults(parseFaultPlan(job.plan));
const claim = claimLease(place, { executable: executableAt(job.launcher) });
if (!("held" in claim)) throw new Error(claim.refused.note);
claim.held.tell({ state: "ready", url: "http://127.0.0.1:8741", served_branch: "main" }, 1000);
claim.held.tell({ served_branch: "lane" }, 1000);
claim.held.release(1000);
process.stdout.write("whole\n");
