import { expect, test } from "vitest";
import { injectFaults, parseFaultPlan } from "../../src/core/fs/fault.ts";
import type { Place } from "../scenario/support/place.ts";
import { readAll } from "../scenario/support/stores.ts";
import type { Run } from "../support/binary.ts";
import { FULL } from "../support/full.ts";
import { builtProgram, thisProcess } from "./support/actors.ts";
import { FAULTS } from "./support/faults.ts";
import type { Operation } from "./support/operations.ts";
import { OPERATIONS } from "./support/operations.ts";
import { tellTally } from "./support/tell.ts";
import { tryPoints } from "./support/try-points.ts";
import type { Attempt, Trial } from "./support/try-points.ts";

/** What a command may end with that could not do its work: found, failed, or refused for what it could not read. */
const UNDONE = [10, 13, 15];

/** A hook never fails its provider and says nothing; a command says in one line what it could not do. */
function expectTruth(isHook: boolean, run: Run): void {
  expect(run.signal).toBeNull();
  expect(run.stderr).not.toMatch(/^\s+at /m);
  if (isHook) expect(run).toMatchObject({ status: 0, stderr: "" });
  else expect([0, ...UNDONE]).toContain(run.status);
}

async function attemptWith(
  operation: Operation,
  plan: string,
  place: Place,
  point: number,
): Promise<Attempt> {
  const injector = parseFaultPlan(plan.replace("{n}", String(point)));
  let seen = 0;
  injectFaults({
    before(disk, path) {
      seen += 1;
      injector.before(disk, path);
    },
  });
  try {
    const run = await operation.perform(place, thisProcess);
    return { run, passedBy: seen < point };
  } finally {
    injectFaults(undefined);
  }
}

/** A full run tries each fault at every point; a sample takes the faults in turn. */
const CASES: { name: string; operation: Operation; fault: string; plans: readonly string[] }[] = FULL
  ? OPERATIONS.flatMap((operation) =>
      FAULTS.map(({ fault, plan }) => ({ name: operation.name, operation, fault, plans: [plan] })),
    )
  : OPERATIONS.map((operation) => ({
      name: operation.name,
      operation,
      fault: "in any way",
      plans: FAULTS.map(({ plan }) => plan),
    }));

test.for(CASES)(
  "$name on a disk that fails at any of its operations: it ends, and the next event or command completes it ($fault)",
  { timeout: 7_200_000 },
  async ({ operation, fault, plans }) => {
    let tried = 0;
    const trial: Trial = {
      operation,
      fault,
      atOnce: 1,
      growth: 2,
      attempt: (place, point) =>
        attemptWith(operation, plans[(tried += 1) % plans.length] ?? "", place, point),
      expectRun: (run) => {
        expectTruth(operation.isHook, run);
        if (fault === "slow") expect(run.status).toBe(0);
      },
    };
    const tally = await tryPoints(trial);
    expect(tally.points).toBeGreaterThan(1);
    tellTally(trial, tally);
  },
);

test.for(OPERATIONS)(
  "$name by the built program on a disk that is full at once: it ends, and the next completes it",
  async (operation) => {
    const { place, known } = await operation.prepare();
    const full = builtProgram({ MAJORDOMUS_FAULT: "ENOSPC@1x100000" });
    expectTruth(operation.isHook, await operation.perform(place, full));
    const next = await (operation.proceed ?? operation.perform)(place, builtProgram({}));
    expect(next).toMatchObject({ status: 0, stderr: "" });
    operation.judge(readAll(place.root), known, place);
  },
);
