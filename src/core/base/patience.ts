/**
 * How long work may still wait for others. A hook shares one allowance among all its locks
 * (decisions.md 1.5); a command has a generous one.
 */
export interface Patience {
  /** Milliseconds left, never negative. */
  remaining(): number;
}

/** The same allowance at every question. */
export function steadyPatience(milliseconds: number): Patience {
  return { remaining: () => milliseconds };
}

/** An allowance that is used up as `elapsed` grows. */
export function sharedPatience(milliseconds: number, elapsed: () => number): Patience {
  return { remaining: () => Math.max(0, milliseconds - elapsed()) };
}
