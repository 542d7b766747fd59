import { errorOfAnswer } from "../../core/capabilities/answer.ts";
import { restsLong } from "../questions.ts";
import type { SliceName } from "../questions.ts";
import type { Slice } from "../slices.ts";
import type { ConsoleState } from "../store.ts";
import { show, span, textOf } from "./line.ts";
import type { Line } from "./line.ts";
import { grouped } from "./numbers.ts";

const READING: Readonly<Record<SliceName, string>> = {
  state: "asking git where this checkout stands",
  episodes: "reading the open episodes",
  recovery: "adding up the episodes",
  plan: "looking for what can be recovered",
  history: "reading the ledger",
  closed: "reading the closed records",
  lines: "searching the ledger for this episode",
  found: "searching the ledger",
  handover: "reading the records of work",
  checkpoint: "reading the records of work",
  questions: "reading the records of work",
  decisions: "reading the records of work",
  terms: "reading the records of work",
  contract: "reading the records of work",
  doctor: "judging everything",
  check: "judging the work",
  watch: "looking for what has drifted",
  candidates: "reading what waits for review, and its evidence",
  candidate: "reading the record",
  capsules: "reading the capsules",
  selection: "choosing among the capsules",
  capsule: "reading the capsule",
  sync: "asking where the machines stand, without any network",
  travelling: "reading the records that travel",
  resumePlan: "planning",
  hints: "asking git what became of its commit",
  procedure: "composing what a clear would print",
  runtime: "asking which commit is answered about",
  providers: "reading what the providers reported",
  server: "asking the shared server",
  peers: "asking who is at work here",
  told: "composing what a session would be told",
};

/** Not asked until a person selects or searches: then nothing is waited for. */
const ON_DEMAND: ReadonlySet<SliceName> = new Set([
  "lines",
  "found",
  "closed",
  "candidate",
  "capsule",
  "resumePlan",
  "hints",
]);

/** Answers that say that there is nothing to judge: without a task no work is checked. */
const NO_FAULT: ReadonlySet<string> = new Set(["task.absent"]);

function progressText(slice: Slice<unknown>): string {
  const { progress } = slice;
  if (progress === undefined) return "";
  const of = progress.total === undefined ? "" : ` of ${grouped(progress.total)}`;
  return `: ${grouped(progress.done)}${of} ${show(progress.what)}`;
}

/** What a pane says in the place of rows it does not have, or above rows that are old. */
export function waitingLines(state: ConsoleState, name: SliceName): readonly Line[] {
  return state.roots.flatMap((root): Line[] => {
    const slice = state.repositories[root]?.[name];
    if (slice === undefined) return [];
    if (slice.state === "failed" && slice.error !== undefined) {
      if (NO_FAULT.has(slice.error.code)) return [];
      return [[span(`✕ ${show(errorOfAnswer(slice.error).line)}`, "warn")]];
    }
    if (slice.data !== undefined || (slice.state === "idle" && ON_DEMAND.has(name))) return [];
    return [[span(`${READING[name]}${progressText(slice)}…`, "muted")]];
  });
}

/** The same for several answers that one pane is made of; what several of them say is said once. */
export function waitingFor(state: ConsoleState, names: readonly SliceName[]): readonly Line[] {
  const lines = names.flatMap((name) => waitingLines(state, name));
  return [...new Map(lines.map((line) => [textOf(line), line])).values()];
}

/** Whether there is anything to count: no number is shown for what has not been read. */
export function isKnown(state: ConsoleState, name: SliceName): boolean {
  return state.roots.some((root) => state.repositories[root]?.[name].data !== undefined);
}

/** A word for the title of a pane whose data is older than its source. */
export function ageMark(state: ConsoleState, names: readonly SliceName[]): string {
  const slices = state.roots.flatMap((root) =>
    names.map((name) => ({ name, slice: state.repositories[root]?.[name] })),
  );
  const states = slices.map(({ slice }) => slice);
  const held = states.filter((slice) => slice?.data !== undefined);
  if (held.some((slice) => slice?.state === "failed" && !NO_FAULT.has(slice.error?.code ?? "")))
    return "old, not readable";
  const old = slices.filter(({ slice }) => slice?.data !== undefined && slice.state === "stale");
  if (old.some(({ name }) => restsLong(name))) return "old: R asks anew";
  return old.length > 0 ? "old" : "";
}
