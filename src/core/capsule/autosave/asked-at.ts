import type { Delta } from "./delta.ts";

/** A row of an earlier day was copied, or its clock is wrong, in milliseconds. */
const LONGEST_TURN = 24 * 60 * 60 * 1000;

/**
 * The time by which an autosave stands among the others (capsules.md 13, H24): when its person last asked for something. The end
 * of that turn would put it before the capsule that the turn itself wrote, its first turn behind whatever came since.
 *
 * @param now milliseconds since the epoch; the answer where no row tells a time that can be.
 * @returns ISO 8601 in UTC.
 */
export function askedAt({ requestedAt }: Pick<Delta, "requestedAt">, now: number): string {
  const plausible = requestedAt !== undefined && requestedAt <= now && requestedAt > now - LONGEST_TURN;
  return new Date(plausible ? requestedAt : now).toISOString();
}
