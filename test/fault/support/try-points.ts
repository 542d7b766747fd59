import { expect } from "vitest";
import { fixedClock } from "../../../src/core/base/clock.ts";
import { steadyPatience } from "../../../src/core/base/patience.ts";
import { systemRandom } from "../../../src/core/base/random.ts";
import { openCheckout } from "../../../src/core/checkout/open.ts";
import { readRoster } from "../../../src/core/journal/roster.ts";
import { takeBalance } from "../../../src/core/ledger/balance.ts";
import type { Balance } from "../../../src/core/labels/terms.ts";
import type { Place } from "../../scenario/support/place.ts";
import { readAll } from "../../scenario/support/stores.ts";
import type { Run } from "../../support/binary.ts";
import { FULL } from "../../support/full.ts";
import { thisProcess } from "./actors.ts";
import type { Before, Operation } from "./operations.ts";
import type { Scene } from "./scene.ts";

/** Operations of one event or command: more than this means that the fault no longer hits. */
const FAR_TOO_MANY = 3000;

/** The points at which something goes wrong: every one, or ever sparser ones that still reach the end. */
function* points(first: number, growth: number): Generator<number> {
  let point = FULL ? 1 : first;
  for (; point < FAR_TOO_MANY; point = FULL ? point + 1 : Math.ceil(point * growth)) yield point;
}

async function balanceIn(place: Place): Promise<Balance> {
  const checkout = await openCheckout(place.root, {
    environment: place.environment,
    clock: fixedClock(Date.now()),
    random: systemRandom,
    patience: steadyPatience(1000),
  });
  return takeBalance(checkout, readRoster(checkout));
}

/** One attempt with a fault at one point. */
export interface Attempt {
  run: Run;
  /** Whether the operation ended before it came to the point. */
  passedBy: boolean;
}

export interface Trial {
  /** At whose points something goes wrong. */
  operation: Operation;
  fault: string;
  /** How many scenes are played side by side; only faults of other processes may be more than one. */
  atOnce: number;
  /** By how much the next point of a sample lies further. */
  growth: number;
  attempt: (place: Place, point: number) => Promise<Attempt>;
  expectRun: (run: Run) => void;
}

/** What came of a trial. */
export interface Tally {
  points: number;
  /** How often the operation was whole all the same, and how often only after the next one. */
  wholeAtOnce: number;
  wholeAfterNext: number;
}

function isWhole(operation: Operation, scene: Scene<Before>): boolean {
  // Nothing half written is ever taken for something whole: reading it here would throw.
  const found = readAll(scene.place.root);
  try {
    operation.judge(found, scene.known, scene.place);
    return true;
  } catch {
    return false;
  }
}

/** A hook says in its outcome line, a command by its status, that all was done: then all stands. */
function isAcknowledged(operation: Operation, place: Place, run: Run): boolean {
  if (!operation.isHook) return run.status === 0;
  const receipts = readAll(place.root).receipts.filter(({ session }) => session === "subject");
  const last = receipts.at(-1);
  return last?.phase === "outcome" && (last.steps ?? []).every(({ result }) => result === "done");
}

async function playScene({ operation, expectRun }: Trial, scene: Scene<Before>, run: Run): Promise<boolean> {
  const { place, known } = scene;
  expectRun(run);
  const whole = isWhole(operation, scene);
  if (operation.judgesBoth !== true && isAcknowledged(operation, place, run))
    expect(whole, "acknowledged, and not whole").toBe(true);
  const following = await (operation.proceed ?? operation.perform)(place, thisProcess);
  expect(following).toMatchObject({ status: 0, stderr: "" });
  operation.judge(readAll(place.root), known, place);
  operation.judgeTold?.(run, following);
  expect(await balanceIn(place)).toMatchObject({ unaccounted: 0, agrees: true });
  return whole;
}

/**
 * Lets one operation go wrong at one point after the other, each time on a fresh copy of the same disk, and
 * judges what the next event or command finds and leaves. Whatever is lost on the way is an error here.
 */
export async function tryPoints(trial: Trial): Promise<Tally> {
  const { operation, fault } = trial;
  const scenes = await Promise.all(
    Array.from({ length: FULL ? trial.atOnce : 1 }, () => operation.prepare()),
  );
  const tally: Tally = { points: 0, wholeAtOnce: 0, wholeAfterNext: 0 };
  let over = false;
  // Another beginning for each operation and kind of fault: samples that differ meet more.
  const source = points(1 + ((operation.name.length + fault.length) % 3), trial.growth);
  const work = scenes.map(async (scene) => {
    for (let next = source.next(); !over && next.done !== true; next = source.next()) {
      const point = next.value;
      scene.restore();
      try {
        const { run, passedBy } = await trial.attempt(scene.place, point);
        const whole = await playScene(trial, scene, run);
        if (passedBy) {
          over = true;
          continue;
        }
        tally.points += 1;
        if (whole) tally.wholeAtOnce += 1;
        else tally.wholeAfterNext += 1;
      } catch (error) {
        throw new Error(`${operation.name} with ${fault} at ${point}: ${String(error)}`, { cause: error });
      }
    }
  });
  await Promise.all(work);
  if (!over) throw new Error(`${operation.name} never came to its end`);
  return tally;
}
