/**
 * How long work may still wait for others. A hook shares one allowance among all its locks
 * (decisions.md 1.5); a command has a generous one for each.
 */
export interface Patience {
  /** Milliseconds left, never negative. */
  remaining(): number;
  /** Says that so many milliseconds were spent waiting. */
  spend(milliseconds: number): void;
}

/** The same allowance at every question. */
export function steadyPatience(milliseconds: number): Patience {
  return { remaining: () => milliseconds, spend: () => undefined };
}

/** One allowance for all waiting together. */
export function sharedPatience(milliseconds: number): Patience {
  let left = milliseconds;
  return {
    remaining: () => left,
    spend: (spent) => {
      left = Math.max(0, left - spent);
    },
  };
}
