import { fixedClock, systemClock } from "./clock.ts";
import type { Clock } from "./clock.ts";
import { parseTimestamp } from "./time.ts";

/** The machine's clock, unless `MAJORDOMUS_NOW` sets one (records.md 1.3). */
export function injectedClock(environment: Readonly<Record<string, string | undefined>>): Clock {
  const injected = parseTimestamp(environment["MAJORDOMUS_NOW"] ?? "");
  return injected === undefined ? systemClock : fixedClock(injected);
}
