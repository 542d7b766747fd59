import { injectedClock } from "../core/base/injected-clock.ts";
import { steadyPatience } from "../core/base/patience.ts";
import { systemRandom } from "../core/base/random.ts";
import type { Surroundings } from "../core/checkout/checkout.ts";

/** How long a command or a pane waits for locks, in milliseconds: another process is never gone for so long. */
const PATIENCE_MILLISECONDS = 10_000;

/** The surroundings of a long-lived process: the machine's clock unless `MAJORDOMUS_NOW` sets one (records.md 1.3). */
export function surroundingsOf(environment: Surroundings["environment"]): Surroundings {
  return {
    environment,
    clock: injectedClock(environment),
    random: systemRandom,
    patience: steadyPatience(PATIENCE_MILLISECONDS),
  };
}
