import { join } from "node:path";
import { elapsedMilliseconds } from "../core/base/elapsed.ts";
import { reasonOf } from "../core/base/error.ts";
import { injectedClock } from "../core/base/injected-clock.ts";
import { sharedPatience } from "../core/base/patience.ts";
import { systemRandom } from "../core/base/random.ts";
import { formatTimestamp } from "../core/base/time.ts";
import { injectFaults, parseFaultPlan } from "../core/fs/fault.ts";
import { complain, lastResortLog } from "../core/journal/last-resort.ts";
import { HOOK_HELP, readHookArguments } from "./arguments.ts";
import { writeOutput } from "./output.ts";
import { runHook } from "./run.ts";

/** What all locks of one hook together may cost, in milliseconds, before the settings say otherwise. */
const LOCK_WAIT_MILLISECONDS = 500;
/** What all runs of git of one hook may cost: a provider waits for its hooks. */
const GIT_MILLISECONDS = 1100;
const STANDARD_INPUT = 0;
const STANDARD_OUTPUT = 1;

function currentDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    // The directory that the provider started us in is gone.
    return undefined;
  }
}

async function main(): Promise<void> {
  const environment = process.env;
  const clock = injectedClock(environment);
  try {
    const faults = environment["MAJORDOMUS_FAULT"];
    if (faults !== undefined) injectFaults(parseFaultPlan(faults));
    const invocation = readHookArguments(process.argv.slice(3), environment);
    if (invocation.help) {
      writeOutput(STANDARD_OUTPUT, HOOK_HELP);
      return;
    }
    const { text, unheard } = await runHook({
      input: STANDARD_INPUT,
      invocation,
      surroundings: {
        environment,
        clock,
        random: systemRandom,
        patience: sharedPatience(LOCK_WAIT_MILLISECONDS),
        gitAllowance: sharedPatience(GIT_MILLISECONDS),
        autosaveProgram: join(__dirname, "autosave.cjs"),
        serverProgram: join(__dirname, "..", "bin", "majordomus"),
      },
      processDirectory: currentDirectory(),
      parent: process.ppid,
      elapsed: elapsedMilliseconds,
    });
    const lost = writeOutput(STANDARD_OUTPUT, text);
    if (lost === undefined) return;
    unheard();
    complain(
      lastResortLog(environment),
      formatTimestamp(clock.now()),
      `hook ${process.argv[3] ?? ""}: was not heard: ${lost}`,
    );
  } catch (error) {
    complain(
      lastResortLog(environment),
      formatTimestamp(clock.now()),
      `hook ${process.argv[3] ?? ""}: ${reasonOf(error)}`,
    );
  }
}

// The exit is explicit: a payload's pipe that its writer never closes must not keep the process alive.
void main().finally(() => process.exit(0));
