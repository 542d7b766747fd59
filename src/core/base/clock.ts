/** Where time comes from. Passed in everywhere, so that a test or a demo can choose it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/** The machine's clock. Only surfaces hand this out; nothing below them asks for the time by itself. */
export const systemClock: Clock = { now: () => Date.now() };

/** A clock that stands still, for `MAJORDOMUS_NOW`, tests and the demo. */
export function fixedClock(milliseconds: number): Clock {
  return { now: () => milliseconds };
}
