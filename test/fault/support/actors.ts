import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../../src/core/base/clock.ts";
import { sharedPatience } from "../../../src/core/base/patience.ts";
import { systemRandom } from "../../../src/core/base/random.ts";
import { readHookArguments } from "../../../src/hooks/arguments.ts";
import { runHook } from "../../../src/hooks/run.ts";
import { claude, claudeCall } from "../../scenario/support/hooks.ts";
import { command } from "../../scenario/support/place.ts";
import type { Place } from "../../scenario/support/place.ts";
import type { Run } from "../../support/binary.ts";
import { runLine } from "../../support/run-program.ts";

/** Who carries out an operation. */
export interface Actor {
  claude(place: Place, sample: string, session: string): Promise<Run>;
  command(place: Place, arguments_: readonly string[]): Promise<Run>;
}

/** The built program, with its faults in the environment: the one that can be killed. */
export function builtProgram(environment: Record<string, string>): Actor {
  return {
    claude: (place, sample, session) => claude(place, sample, session, { environment }),
    command: (place, arguments_) => command(place, arguments_, { environment }),
  };
}

const LOCK_WAIT_MILLISECONDS = 500;
const GIT_MILLISECONDS = 20_000;

async function hookHere(place: Place, sample: string, session: string): Promise<Run> {
  const call = claudeCall(place, { sample, session });
  const environment = { ...place.environment };
  const path = join(place.directory, "payload.json");
  writeFileSync(path, call.input);
  const input = openSync(path, "r");
  const begun = performance.now();
  try {
    const { text: stdout } = await runHook({
      input,
      invocation: readHookArguments([call.event, "--provider", "claude-code"], environment),
      surroundings: {
        environment,
        clock: systemClock,
        random: systemRandom,
        patience: sharedPatience(LOCK_WAIT_MILLISECONDS),
        gitAllowance: sharedPatience(GIT_MILLISECONDS),
      },
      processDirectory: place.root,
      parent: process.pid,
      elapsed: () => performance.now() - begun,
    });
    return { status: 0, signal: null, stdout, stderr: "", milliseconds: performance.now() - begun };
  } catch {
    // The program's own entry notes it in a file of this machine, and ends all the same.
    return { status: 0, signal: null, stdout: "", stderr: "", milliseconds: performance.now() - begun };
  } finally {
    closeSync(input);
  }
}

/** This process: where every point of failure is tried, for a process each would take hours. */
export const thisProcess: Actor = {
  claude: hookHere,
  command: async (place, arguments_) => {
    const { root: directory, environment } = place;
    const run = await runLine(arguments_, {
      directory,
      environment: { ...environment },
      now: Date.now(),
    });
    return { ...run, signal: null, milliseconds: 0 };
  },
};
