import { cpSync, rmSync } from "node:fs";
import { onTestFinished } from "vitest";
import { makePlace } from "../../scenario/support/place.ts";
import type { Place } from "../../scenario/support/place.ts";

/** A place that was brought to the moment before a fault, and comes back to it as often as is wanted. */
export interface Scene<Known> {
  place: Place;
  /** What the preparation wants to be remembered. */
  known: Known;
  restore(): void;
}

/** Prepares a place once and keeps a copy of its disk: paths are part of what is stored, so they stay the same. */
export async function makeScene<Known>(prepare: (place: Place) => Promise<Known>): Promise<Scene<Known>> {
  const place = await makePlace();
  const known = await prepare(place);
  const kept = `${place.directory}.kept`;
  const copy = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true } as const;
  cpSync(place.directory, kept, copy);
  onTestFinished(() => rmSync(kept, { recursive: true, force: true }));
  return {
    place,
    known,
    restore: () => {
      rmSync(place.directory, { recursive: true, force: true });
      cpSync(kept, place.directory, copy);
    },
  };
}
