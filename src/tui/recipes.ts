import type { HistoryAnswer } from "../core/ledger/answers.ts";
import { filterRows } from "./model/filter.ts";
import { judgedRows, surroundingRows } from "./model/health-rows.ts";
import { capsuleRows, procedureRows, selectedCapsule } from "./model/capsule-rows.ts";
import { candidateRows } from "./model/knowledge-rows.ts";
import { actionRow, closedRow, episodeRow, findingRow, isLost, lineRow, skippedRow } from "./model/rows.ts";
import type { Row } from "./model/rows.ts";
import { offerRows, travelRows } from "./model/travel-rows.ts";
import { briefingRows, workRows } from "./model/work-rows.ts";
import type { PaneId } from "./places.ts";
import type { SliceName } from "./questions.ts";
import type { Slice, Slices } from "./slices.ts";
import type { ConsoleState } from "./store.ts";

/** How the rows of a pane are made of one repository's slices. */
export interface Recipe {
  slices: readonly SliceName[];
  build: (root: string, slices: Slices, state: ConsoleState) => readonly Row[];
  /** The rows come filtered. @default false */
  filtered?: boolean;
}

function episodesWhere(wanted: (lost: boolean) => boolean): Recipe {
  return {
    slices: ["episodes"],
    build: (root, slices) =>
      (slices.episodes.data?.episodes ?? [])
        .filter((episode) => wanted(isLost(episode)))
        .map((episode) => episodeRow(root, episode)),
  };
}

function lineRows(root: string, slice: Slice<HistoryAnswer>): readonly Row[] {
  return (slice.data?.lines ?? []).map((line) => lineRow(root, line));
}

/** The ledger searches itself, deeper than what is at hand; until it has answered, that must do. */
function searched(root: string, slices: Slices, filter: string): readonly Row[] {
  const found = filter !== "" && slices.found.data !== undefined;
  return found ? lineRows(root, slices.found) : filterRows(lineRows(root, slices.history), filter);
}

/** What the read models noticed; two of them may have noticed the same. */
function findingRows(root: string, slices: Slices): readonly Row[] {
  const found = [...(slices.recovery.data?.findings ?? []), ...(slices.episodes.data?.findings ?? [])];
  const rows = found.filter(({ level }) => level !== "OK").map((finding) => findingRow(root, finding));
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** The rows of every pane. */
export const RECIPES: Readonly<Record<PaneId, Recipe>> = {
  open: episodesWhere((lost) => !lost),
  stranded: episodesWhere((lost) => lost),
  every: {
    slices: ["episodes", "closed"],
    build: (root, slices, state) => [
      ...(slices.episodes.data?.episodes ?? []).map((episode) => episodeRow(root, episode)),
      ...(state.showClosed
        ? (slices.closed.data?.newest ?? []).map((closed) => closedRow(root, closed))
        : []),
    ],
  },
  actions: {
    slices: ["plan", "recovery", "episodes"],
    build: (root, slices) => [
      ...(slices.plan.data?.actions ?? []).map((action) => actionRow(root, action)),
      ...(slices.plan.data?.skipped ?? []).map((skipped) => skippedRow(root, skipped)),
      ...findingRows(root, slices),
    ],
  },
  tail: { slices: ["history"], build: (root, slices) => lineRows(root, slices.history) },
  lines: { slices: ["lines"], build: (root, slices) => lineRows(root, slices.lines) },
  ledger: {
    slices: ["history", "found"],
    build: (root, slices, state) => searched(root, slices, state.filters.ledger ?? ""),
    filtered: true,
  },
  work: {
    slices: ["state", "terms", "contract", "handover", "checkpoint", "questions", "decisions"],
    build: workRows,
  },
  briefing: { slices: ["told"], build: briefingRows },
  findings: { slices: ["doctor", "check", "watch"], build: judgedRows },
  candidates: { slices: ["candidates"], build: candidateRows },
  capsule: { slices: ["selection"], build: selectedCapsule },
  capsules: { slices: ["capsules", "selection"], build: capsuleRows },
  procedure: { slices: ["procedure"], build: procedureRows },
  sync: { slices: ["sync"], build: offerRows },
  travelling: { slices: ["travelling", "sync"], build: travelRows },
  surroundings: { slices: ["runtime", "server", "peers", "providers"], build: surroundingRows },
};
