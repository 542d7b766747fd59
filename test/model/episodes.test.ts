import { randomInt } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { FULL } from "../support/full.ts";
import { LIMITS_TABLE, writeMeasured } from "../support/measured.ts";
import { Model } from "./support/model.ts";
import { steps, WORKERS } from "./support/steps.ts";
import { World } from "./support/world.ts";

/** A full run may be told how many histories it has time for. */
const RUNS = FULL ? Number(process.env["MAJORDOMUS_MODEL_RUNS"] ?? 600) : 25;
const LENGTH = FULL ? 40 : 15;

test(
  "whatever happens in whatever order, the stores say what an independent model of episodes says",
  { timeout: 3_600_000 },
  async () => {
    const seed = Number(process.env["MAJORDOMUS_MODEL_SEED"] ?? randomInt(2 ** 31));
    process.stdout.write(`model of episodes: MAJORDOMUS_MODEL_SEED=${seed}\n`);
    let events = 0;
    await fc.assert(
      fc.asyncProperty(fc.commands(steps(), { maxCommands: LENGTH, size: "max" }), async (commands) => {
        const world = await World.make(WORKERS);
        try {
          await fc.asyncModelRun(() => ({ model: new Model(), real: world }), commands);
        } finally {
          events += 1;
          await world.stop();
        }
      }),
      { seed, numRuns: RUNS, endOnFailure: process.env["MAJORDOMUS_MODEL_SHRINK"] === undefined },
    );
    expect(events).toBe(RUNS);
    writeMeasured(LIMITS_TABLE, [
      "Histories against the model of episodes",
      `${RUNS} of up to ${LENGTH} happenings, seed ${seed}`,
      "the stores say what the model says after each",
    ]);
  },
);
