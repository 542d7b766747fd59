import { expect, test } from "vitest";
import { builtProgram } from "./support/actors.ts";
import { KILLED } from "./support/faults.ts";
import { OPERATIONS } from "./support/operations.ts";
import { tellTally } from "./support/tell.ts";
import { tryPoints } from "./support/try-points.ts";
import type { Trial } from "./support/try-points.ts";

test.for(OPERATIONS)(
  "$name killed before any of its disk operations: nothing acknowledged is lost, nothing half is read, the next goes on",
  { timeout: 7_200_000 },
  async (operation) => {
    const trial: Trial = {
      operation,
      fault: KILLED,
      atOnce: 2,
      growth: 3.3,
      attempt: async (place, point) => {
        const run = await operation.perform(place, builtProgram({ MAJORDOMUS_FAULT: `kill@${point}` }));
        return { run, passedBy: run.signal === null };
      },
      expectRun: (run) => {
        // Killed, or whole: there is nothing between.
        if (run.signal === null) expect(run).toMatchObject({ status: 0, stderr: "" });
        else expect(run.signal).toBe("SIGKILL");
      },
    };
    const tally = await tryPoints(trial);
    expect(tally.points).toBeGreaterThan(1);
    tellTally(trial, tally);
  },
);
