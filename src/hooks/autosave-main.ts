import { writeSync } from "node:fs";
import { runAutosave } from "../core/boundary/autosave-run.ts";
import type { WorkerOutcome } from "../core/boundary/autosave-run.ts";
import { reasonOf } from "../core/base/error.ts";
import { injectedClock } from "../core/base/injected-clock.ts";
import { steadyPatience } from "../core/base/patience.ts";
import { systemRandom } from "../core/base/random.ts";
import { formatTimestamp } from "../core/base/time.ts";
import { injectFaults, parseFaultPlan } from "../core/fs/fault.ts";
import { complain, lastResortLog } from "../core/journal/last-resort.ts";

// The entry of the process that a turn's end starts and does not wait for.

/** The longest that a worker may live, in milliseconds. */
const LIFE = 30_000;
/** How long it waits for a spend, or for the worker before it. */
const LOCK_WAIT = 2000;
const STANDARD_OUTPUT = 1;

function work(): WorkerOutcome {
  const environment = process.env;
  const clock = injectedClock(environment);
  try {
    const faults = environment["MAJORDOMUS_FAULT"];
    if (faults !== undefined) injectFaults(parseFaultPlan(faults));
    const surroundings = { environment, clock, random: systemRandom, patience: steadyPatience(LOCK_WAIT) };
    return runAutosave(process.argv[2], surroundings, () => performance.now() < LIFE);
  } catch (error) {
    complain(lastResortLog(environment), formatTimestamp(clock.now()), `autosave: ${reasonOf(error)}`);
    return "error:worker";
  }
}

const outcome = work();
try {
  writeSync(STANDARD_OUTPUT, `SWE_OUTCOME:${outcome}\n`);
} catch {
  // Nobody listens to a worker that nobody waits for.
}
process.exit(0);
