import { onTestFinished } from "vitest";
import { makePlace } from "../../scenario/support/place.ts";
import type { Place } from "../../scenario/support/place.ts";
import { photograph } from "./photograph.ts";

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
  const photo = photograph(place.directory);
  onTestFinished(() => photo.forget());
  return { place, known, restore: () => photo.restore() };
}
