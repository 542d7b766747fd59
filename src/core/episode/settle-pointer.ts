import type { Checkout } from "../checkout/checkout.ts";
import { stampOf } from "../fs/read.ts";
import { listOpenEpisodes } from "../records/open-episode.ts";
import { aimPointer, clearPointer, readPointer } from "../records/pointer.ts";

/** Several sessions may end at once, each of which changes what the pointer should name. */
const ROUNDS = 8;

/**
 * Takes the pointer away when it named the episode that ends, or names nothing; with one episode left it
 * names that one (records.md 3.4, 6). A file or directory at its place that is no pointer is left alone.
 *
 * @param ending the episode whose open file was just removed.
 * @returns the key that it was aimed at, if it was.
 */
export function settlePointer(checkout: Pick<Checkout, "layout">, ending?: string): string | undefined {
  const { layout } = checkout;
  for (let round = 0; round < ROUNDS; round += 1) {
    const pointer = readPointer(layout);
    const isEnding = ending !== undefined && pointer.sessionId === ending;
    if (pointer.resolves && !isEnding) return undefined;
    if (pointer.layout === "inline" && !isEnding) return undefined;
    if (pointer.layout !== "absent") clearPointer(layout);
    const left = listOpenEpisodes(layout.sessionsOpen).episodes;
    const [only] = left;
    if (only === undefined || left.length > 1) return undefined;
    aimPointer(layout, only.key);
    // That one may have ended meanwhile: either we see it gone now, or its own end sees our aim.
    if (stampOf(only.path) !== undefined) return only.key;
  }
  return undefined;
}
