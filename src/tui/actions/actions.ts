import type { Desk } from "../desk.ts";
import { enterMode, say } from "../desk.ts";
import type { ActionId, Binding } from "../binding.ts";
import { VIEWS } from "../places.ts";
import type { Repeatable } from "../mode.ts";
import { currentRow } from "../row-source.ts";
import { focusedPane } from "../store.ts";
import { answerQuestion } from "./answer.ts";
import { settleCapsules, showProcedure, validateCapsules } from "./capsules.ts";
import { askToClose } from "./close.ts";
import { finishTask } from "./finish.ts";
import { focusBy, moveBy, moveByPage, moveToEnd, showView } from "./move.ts";
import { newCheckpoint, newDecision, newHandover, newQuestion } from "./new-records.ts";
import { newTask } from "./new-task.ts";
import { promoteCandidates, rejectCandidates } from "./knowledge.ts";
import { copy, edit } from "./outside.ts";
import { openContext, openRow } from "./read.ts";
import { askToResume, showPlan } from "./resume.ts";
import { askToHide, askToPublish, askToSync, verifyRecord } from "./sync.ts";
import { askToRecover, askToRecoverAll } from "./recover.ts";
import { askToSpend, askToSpendNewest } from "./spend.ts";

type Action = (desk: Desk) => void | Promise<void>;

function toggleMark(desk: Desk): void {
  const state = desk.store.getState();
  const row = currentRow(state, desk.rowsOf);
  if (row === undefined) return;
  const marks = new Set(state.marks);
  if (!marks.delete(row.id)) marks.add(row.id);
  desk.store.setState({ marks });
  moveBy(desk, 1);
}

function goBack(desk: Desk): void {
  const state = desk.store.getState();
  const pane = focusedPane(state);
  if (state.message !== undefined) return desk.store.setState({ message: undefined });
  if (state.marks.size > 0) return desk.store.setState({ marks: new Set() });
  if ((state.filters[pane] ?? "") !== "") desk.store.setState({ filters: { ...state.filters, [pane]: "" } });
}

function startFilter(desk: Desk): void {
  const state = desk.store.getState();
  const pane = focusedPane(state);
  const text = state.filters[pane] ?? "";
  enterMode(desk, { kind: "filter", pane, text, before: text });
}

function askToLeave(desk: Desk): void {
  const { busy, mode, drafts } = desk.store.getState();
  const asked = mode.kind === "confirm" && mode.question.kind === "leave";
  const running = busy?.writes === true ? busy.what : undefined;
  const unsaved = Object.keys(drafts).length;
  if ((running === undefined && unsaved === 0) || asked) return desk.leave(0);
  enterMode(desk, { kind: "confirm", top: 0, question: { kind: "leave", running, drafts: unsaved } });
}

function cancelWork(desk: Desk): void {
  desk.store.getState().busy?.abort.abort();
}

function refreshAll(desk: Desk): void {
  for (const root of desk.store.getState().roots) desk.refresh(root, true);
  say(desk, "plain", "asked again for everything on screen");
}

/**
 * What a following `.` does: the last action again, on the next row. Where the row that it was done on is gone
 * from under the cursor (recovered, filtered, marked and passed), the next one already stands there.
 */
async function repeatOnNext(desk: Desk): Promise<void> {
  const { last } = desk.store.getState();
  if (last === undefined) return;
  if (rowUnderCursor(desk) === last.row) moveBy(desk, 1);
  const row = rowUnderCursor(desk);
  if (row === last.row) return say(desk, "plain", "there is no next row");
  desk.store.setState({ last: { ...last, row } });
  await ACTIONS[last.action](desk);
}

function rowUnderCursor(desk: Desk): string | undefined {
  return currentRow(desk.store.getState(), desk.rowsOf)?.id;
}

/** Keys of a form, which asks for them itself. */
function nothing(): void {
  // Outside a form there is nothing to do.
}

const VIEW_ACTIONS = Object.fromEntries(
  VIEWS.map((view) => [`view:${view.id}`, (desk: Desk) => showView(desk, view.id)]),
) as Record<Extract<ActionId, `view:${string}`>, Action>;

/** What every action of the key table does. */
export const ACTIONS: Readonly<Record<ActionId, Action>> = {
  ...VIEW_ACTIONS,
  up: (desk) => moveBy(desk, -1),
  down: (desk) => moveBy(desk, 1),
  pageUp: (desk) => moveByPage(desk, -1),
  pageDown: (desk) => moveByPage(desk, 1),
  first: (desk) => moveToEnd(desk, "first"),
  last: (desk) => moveToEnd(desk, "last"),
  left: (desk) => focusBy(desk, -1, false),
  right: (desk) => focusBy(desk, 1, false),
  nextPane: (desk) => focusBy(desk, 1, true),
  previousPane: (desk) => focusBy(desk, -1, true),
  open: openRow,
  back: goBack,
  filter: startFilter,
  palette: (desk) => enterMode(desk, { kind: "palette", query: "", index: 0 }),
  help: (desk) => enterMode(desk, { kind: "help", top: 0 }),
  mark: toggleMark,
  repeat: repeatOnNext,
  recover: askToRecover,
  recoverAll: askToRecoverAll,
  close: askToClose,
  context: openContext,
  closed: (desk) => desk.store.setState((state) => ({ showClosed: !state.showClosed, view: "episodes" })),
  edit,
  copy,
  new: (desk) => enterMode(desk, { kind: "prefix", prefix: "new" }),
  newCheckpoint,
  newHandover,
  newQuestion,
  newDecision,
  newTask,
  answer: answerQuestion,
  finish: finishTask,
  promote: promoteCandidates,
  reject: rejectCandidates,
  validate: validateCapsules,
  resolve: (desk) => settleCapsules(desk, "resolved"),
  abandon: (desk) => settleCapsules(desk, "abandoned"),
  procedure: showProcedure,
  spend: askToSpend,
  spendNewest: askToSpendNewest,
  sync: askToSync,
  publish: askToPublish,
  plan: showPlan,
  resume: askToResume,
  hide: askToHide,
  verify: verifyRecord,
  review: nothing,
  editDraft: nothing,
  refresh: refreshAll,
  repaint: (desk) => desk.terminal.repaint(),
  cancel: cancelWork,
  suspend: (desk) => desk.terminal.suspend(),
  leave: askToLeave,
};

const REPEATABLE: ReadonlySet<ActionId> = new Set<Repeatable>([
  "recover",
  "close",
  "context",
  "open",
  "copy",
  "edit",
  "mark",
]);

/** Does an action, if it has something to act on. */
export function act(desk: Desk, binding: Binding): void {
  const { action } = binding;
  if (!desk.works(binding, desk.store.getState())) return;
  if (REPEATABLE.has(action)) {
    desk.store.setState({ last: { action: action as Repeatable, row: rowUnderCursor(desk) } });
  }
  void ACTIONS[action](desk);
}
