import type { PaneId } from "../places.ts";
import { BRIEFING, PROCEDURE } from "./text-panes.ts";
import { CANDIDATES } from "./candidate-list.ts";
import { CAPSULE, CAPSULES } from "./capsule-list.ts";
import { EVERY_EPISODE } from "./every-episode.ts";
import { FINDINGS } from "./finding-list.ts";
import { LEDGER, OWN_LINES, TAIL } from "./history-rows.ts";
import { OPEN_EPISODES } from "./open-episodes.ts";
import { RECOVERY_ACTIONS } from "./recovery-actions.ts";
import type { PaneSpec } from "./spec.ts";
import { STRANDED } from "./stranded.ts";
import { SURROUNDINGS } from "./surroundings.ts";
import { SYNC } from "./sync-offers.ts";
import { TRAVELLING } from "./travel-list.ts";
import { WORK } from "./work-list.ts";

/** The list panes by their place. */
export const PANES: Readonly<Record<PaneId, PaneSpec>> = {
  open: OPEN_EPISODES,
  stranded: STRANDED,
  tail: TAIL,
  every: EVERY_EPISODE,
  lines: OWN_LINES,
  actions: RECOVERY_ACTIONS,
  ledger: LEDGER,
  work: WORK,
  briefing: BRIEFING,
  findings: FINDINGS,
  surroundings: SURROUNDINGS,
  candidates: CANDIDATES,
  capsule: CAPSULE,
  capsules: CAPSULES,
  procedure: PROCEDURE,
  sync: SYNC,
  travelling: TRAVELLING,
};
