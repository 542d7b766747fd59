import type { ActionId, Binding } from "../binding.ts";
import { recordOf } from "../model/record.ts";
import { isLost } from "../model/rows.ts";
import { ROW_KIND, viewOf } from "../places.ts";
import { questionToAnswer, taskHere } from "../model/work-here.ts";
import { currentRow } from "../row-source.ts";
import type { RowSource } from "../row-source.ts";
import { focusedPane } from "../store.ts";
import type { ConsoleState } from "../store.ts";

type Condition = (state: ConsoleState, rowsOf: RowSource) => boolean;

const hasRow: Condition = (state, rowsOf) => currentRow(state, rowsOf) !== undefined;
const idle: Condition = (state) => state.busy === undefined;
const onEpisode: Condition = (state, rowsOf) =>
  idle(state, rowsOf) && currentRow(state, rowsOf)?.kind === "episode";
const onRecoverable: Condition = (state, rowsOf) => {
  const row = currentRow(state, rowsOf);
  return (
    idle(state, rowsOf) && (row?.kind === "episode" || row?.kind === "action" || row?.kind === "skipped")
  );
};

const onCandidate: Condition = (state, rowsOf) =>
  idle(state, rowsOf) && currentRow(state, rowsOf)?.kind === "candidate";

const onCapsule: Condition = (state, rowsOf) =>
  idle(state, rowsOf) && currentRow(state, rowsOf)?.kind === "capsule";

const onTravel: Condition = (state, rowsOf) =>
  idle(state, rowsOf) && currentRow(state, rowsOf)?.kind === "travel";

/** When an action has something to do; always, for those that are not named. */
const CONDITIONS: Readonly<Partial<Record<ActionId, Condition>>> = {
  open: (state, rowsOf) => idle(state, rowsOf) && hasRow(state, rowsOf),
  mark: hasRow,
  copy: hasRow,
  repeat: (state, rowsOf) => state.last !== undefined && hasRow(state, rowsOf),
  recover: onRecoverable,
  recoverAll: idle,
  close: onEpisode,
  context: onEpisode,
  edit: (state, rowsOf) => {
    const row = currentRow(state, rowsOf);
    return (
      row !== undefined &&
      idle(state, rowsOf) &&
      (row.kind === "episode" || row.kind === "capsule" || recordOf(row) !== undefined)
    );
  },
  new: idle,
  newCheckpoint: idle,
  newHandover: idle,
  newQuestion: idle,
  newDecision: idle,
  newTask: idle,
  answer: (state, rowsOf) => idle(state, rowsOf) && questionToAnswer(state, rowsOf) !== undefined,
  finish: (state, rowsOf) => idle(state, rowsOf) && taskHere(state, rowsOf)?.outcome === "active",
  promote: onCandidate,
  reject: onCandidate,
  validate: onCapsule,
  resolve: onCapsule,
  abandon: onCapsule,
  procedure: onCapsule,
  spend: onCapsule,
  spendNewest: idle,
  sync: idle,
  publish: idle,
  plan: onTravel,
  resume: onTravel,
  hide: onTravel,
  verify: onTravel,
  // A form asks for these itself.
  review: () => false,
  editDraft: () => false,
  cancel: (state) => state.busy !== undefined,
  nextPane: (state) => viewOf(state.view).panes.length > 1,
  left: (state) => viewOf(state.view).panes.length > 1,
  right: (state) => viewOf(state.view).panes.length > 1,
};

/** Whether a key does something here and now: what the palette offers. */
export function worksNow(rowsOf: RowSource): (binding: Binding, state: ConsoleState) => boolean {
  return (binding, state) => {
    const kind = ROW_KIND[focusedPane(state)];
    if (binding.rows !== undefined && !binding.rows.includes(kind)) return false;
    return CONDITIONS[binding.action]?.(state, rowsOf) ?? true;
  };
}

/** Verdicts of capsules that are active and whole, whether or not a clear would take them. */
const RESUMABLE: ReadonlySet<string> = new Set(["selected", "not-newest", "placeholder-demoted"]);

/** Keys that may be pressed but lead to no more than a reason why not: no use in the footer. */
const NO_HINT: Readonly<Partial<Record<ActionId, Condition>>> = {
  recover: (state, rowsOf) => {
    const row = currentRow(state, rowsOf);
    return row?.kind === "skipped" || (row?.kind === "episode" && !isLost(row.episode));
  },
  close: (state, rowsOf) => {
    const row = currentRow(state, rowsOf);
    return row?.kind === "episode" && row.episode.standing === "foreign";
  },
  recoverAll: (state, rowsOf) => rowsOf(state, "stranded").length + rowsOf(state, "actions").length === 0,
  spend: (state, rowsOf) => {
    const row = currentRow(state, rowsOf);
    return row?.kind === "capsule" && !RESUMABLE.has(row.file.verdict);
  },
  // The first row is the newest: there the other key says it already.
  spendNewest: (state, rowsOf) => {
    const row = currentRow(state, rowsOf);
    return (
      (row?.kind === "capsule" && row.file.verdict === "selected") ||
      state.roots.every((root) => (state.repositories[root]?.selection.data?.capsule ?? null) === null)
    );
  },
};

/** Whether the footer should name a key. */
export function hintsNow(rowsOf: RowSource): (binding: Binding, state: ConsoleState) => boolean {
  const works = worksNow(rowsOf);
  return (binding, state) => works(binding, state) && NO_HINT[binding.action]?.(state, rowsOf) !== true;
}
