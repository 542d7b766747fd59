import { join } from "node:path";
import { expect } from "vitest";
import { steadyPatience } from "../../../src/core/base/patience.ts";
import { fixedClock } from "../../../src/core/base/clock.ts";
import { systemRandom } from "../../../src/core/base/random.ts";
import { openCheckout } from "../../../src/core/checkout/open.ts";
import { readRoster } from "../../../src/core/journal/roster.ts";
import { takeBalance } from "../../../src/core/ledger/balance.ts";
import type { Balance } from "../../../src/core/labels/terms.ts";
import type { Place } from "../../scenario/support/place.ts";
import { readAll } from "../../scenario/support/stores.ts";
import type { Run } from "../../support/binary.ts";
import { FULL } from "../../support/full.ts";
import type { Operation } from "./operations.ts";

/** Operations of one event or command: more than this means that the fault no longer hits. */
const FAR_TOO_MANY = 3000;
const AT_ONCE = FULL ? 2 : 1;

/** The points at which something goes wrong: every one, or ever sparser ones that still reach the end. */
function* points(first: number): Generator<number> {
  let point = FULL ? 1 : first;
  for (; point < FAR_TOO_MANY; point = FULL ? point + 1 : Math.ceil(point * 3.3)) yield point;
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

export interface Attempt {
  point: number;
  /** What `MAJORDOMUS_FAULT` says. */
  plan: string;
  run: Run;
}

/**
 * Lets one operation go wrong at one point after the other, each time on a fresh copy of the same disk, and
 * judges what the next event or command finds and leaves.
 *
 * @param planOf the fault at a point.
 * @param isOver whether an attempt came to its end unharmed, so that later points cannot be hit.
 * @returns how many points were tried.
 */
export async function tryPoints(
  operation: Operation,
  planOf: (point: number) => string,
  isOver: (attempt: Attempt) => boolean,
  expectRun: (attempt: Attempt) => void,
): Promise<number> {
  const scenes = await Promise.all(Array.from({ length: AT_ONCE }, () => operation.prepare()));
  let tried = 0;
  let over = false;
  // Another beginning for each operation and kind of fault: samples that differ meet more.
  const source = points(1 + (operation.name.length % 3));
  const work = scenes.map(async (scene) => {
    for (let next = source.next(); !over && next.done !== true; next = source.next()) {
      const point = next.value;
      scene.restore();
      const { place, known } = scene;
      const plan = planOf(point);
      const run = await operation.perform(place, { MAJORDOMUS_FAULT: plan });
      tried += 1;
      const attempt = { point, plan, run };
      try {
        expectRun(attempt);
        // Nothing half written is ever taken for something whole: reading it here would throw.
        readAll(place.root);
        const following = await operation.proceed(place);
        expect(following).toMatchObject({ status: 0, stderr: "" });
        operation.judge(readAll(place.root), known, place);
        expect(await balanceIn(place)).toMatchObject({ unaccounted: 0, agrees: true });
      } catch (error) {
        throw new Error(`${operation.name} with ${plan} in ${join(place.directory)}: ${String(error)}`, {
          cause: error,
        });
      }
      if (isOver(attempt)) over = true;
    }
  });
  await Promise.all(work);
  if (!over) throw new Error(`${operation.name} never came to its end`);
  return tried;
}

/** How many disk operations an operation has: the last point at which it can still be killed. */
export async function countDiskOperations(operation: Operation): Promise<number> {
  const scene = await operation.prepare();
  const dies = async (point: number): Promise<boolean> => {
    scene.restore();
    const run = await operation.perform(scene.place, { MAJORDOMUS_FAULT: `kill@${point}` });
    return run.signal !== null;
  };
  let [low, high] = [1, 2];
  while (await dies(high)) [low, high] = [high, high * 2];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await dies(middle)) low = middle;
    else high = middle;
  }
  return low;
}
