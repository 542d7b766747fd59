import { fixedClock, systemClock } from "../core/base/clock.ts";
import { steadyPatience } from "../core/base/patience.ts";
import { systemRandom } from "../core/base/random.ts";
import { parseTimestamp } from "../core/base/time.ts";
import type { Surroundings } from "../core/checkout/checkout.ts";

/** How long a command or a pane waits for locks, in milliseconds: another process is never gone for so long. */
const PATIENCE_MILLISECONDS = 10_000;

/** The surroundings of a long-lived process: the machine's clock unless `MAJORDOMUS_NOW` sets one (records.md 1.3). */
export function surroundingsOf(environment: Surroundings["environment"]): Surroundings {
  const injected = parseTimestamp(environment["MAJORDOMUS_NOW"] ?? "");
  return {
    environment,
    clock: injected === undefined ? systemClock : fixedClock(injected),
    random: systemRandom,
    patience: steadyPatience(PATIENCE_MILLISECONDS),
  };
}
