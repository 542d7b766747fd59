import { randomInt } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { newTeam } from "../core/continuity/support/machines.ts";
import { FULL } from "../support/full.ts";
import { expectUnion, MACHINES, TravelModel, travelSteps } from "./support/travelling.ts";

const RUNS = FULL ? 60 : 3;
const LENGTH = FULL ? 40 : 14;

test(
  "whatever is published, synced, resumed, dropped and cut short on four machines, the stores are a union and lose nothing",
  { timeout: 3_600_000 },
  async () => {
    const seed = Number(process.env["MAJORDOMUS_MODEL_SEED"] ?? randomInt(2 ** 31));
    process.stdout.write(`model of travelling records: MAJORDOMUS_MODEL_SEED=${seed}\n`);
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.commands(travelSteps(), { maxCommands: LENGTH, size: "max" }), async (commands) => {
        const team = await newTeam();
        const machines = Array.from({ length: MACHINES }, (_, index) => team.machine(`m${index}`));
        const [model, real] = [new TravelModel(), { team, machines }];
        await fc.asyncModelRun(() => ({ model, real }), commands);
        await expectUnion(model, real);
        runs += 1;
      }),
      { seed, numRuns: RUNS, endOnFailure: process.env["MAJORDOMUS_MODEL_SHRINK"] === undefined },
    );
    expect(runs).toBe(RUNS);
  },
);
