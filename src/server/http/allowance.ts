/** So many at once, and so many a second from then on. */
export interface AllowanceLimits {
  burst: number;
  perSecond: number;
}

/**
 * An allowance that refills steadily.
 *
 * @param now milliseconds of any clock that never goes back.
 * @returns takes one; 0 when it could, else the whole seconds until it can.
 */
export function createAllowance({ burst, perSecond }: AllowanceLimits, now: () => number): () => number {
  let left = burst;
  let at = now();
  return () => {
    const moment = now();
    left = Math.min(burst, left + ((moment - at) / 1000) * perSecond);
    at = moment;
    if (left < 1) return Math.max(1, Math.ceil((1 - left) / perSecond));
    left -= 1;
    return 0;
  };
}
