import * as z from "zod/mini";
import { readClosed } from "../lifecycle/closed.ts";
import { readEpisodes } from "../lifecycle/episodes.ts";
import { readProviders } from "../lifecycle/providers.ts";
import { readRecovery } from "../lifecycle/recovery.ts";
import { readRuntime } from "../lifecycle/runtime.ts";
import { readState } from "../lifecycle/state.ts";
import {
  ClosedAnswer,
  EpisodesAnswer,
  ProvidersAnswer,
  RecoveryAnswer,
  RuntimeAnswer,
  StateAnswer,
} from "../lifecycle/answers.ts";
import { defineCapability } from "./capability.ts";

const Nothing = z.strictObject({});

export const lifecycleEpisodes = defineCapability({
  id: "lifecycle.episodes",
  title: "Every open episode of this repository's session store",
  effect: "read",
  weight: "heavy",
  input: Nothing,
  output: EpisodesAnswer,
  run: ({ checkout }) => readEpisodes(checkout),
});

export const lifecycleRecovery = defineCapability({
  id: "lifecycle.recovery",
  title: "What can no longer close itself, and whether every episode is accounted for",
  effect: "read",
  weight: "heavy",
  input: Nothing,
  output: RecoveryAnswer,
  run: ({ checkout }) => readRecovery(checkout),
});

export const lifecycleRuntime = defineCapability({
  id: "lifecycle.runtime",
  title: "The commit that answers are about, against the one that is checked out",
  effect: "read",
  weight: "light",
  input: Nothing,
  output: RuntimeAnswer,
  run: ({ checkout }) => readRuntime(checkout),
});

export const lifecycleProviders = defineCapability({
  id: "lifecycle.providers",
  title: "The providers, their events, and what has been received from them",
  effect: "read",
  weight: "light",
  input: Nothing,
  output: ProvidersAnswer,
  run: ({ checkout }) => readProviders(checkout),
});

export const lifecycleClosed = defineCapability({
  id: "lifecycle.closed",
  title: "The closed episodes that a clone receives",
  effect: "read",
  weight: "heavy",
  input: z.strictObject({
    /** How many of the newest; 20 when absent. */
    window: z.optional(z.int().check(z.minimum(1), z.maximum(10_000))),
  }),
  output: ClosedAnswer,
  run: ({ checkout }, { window }) => readClosed(checkout, window),
});

export const continuityState = defineCapability({
  id: "continuity.state",
  address: "continuity",
  title: "This checkout's episode, task and blockers, with their labels",
  effect: "read",
  weight: "heavy",
  input: Nothing,
  output: StateAnswer,
  run: ({ checkout }) => readState(checkout),
});
