/** The views, their digits and their panes. A view that has nothing behind it yet is not in the table. */
export type ViewId =
  | "overview"
  | "episodes"
  | "recovery"
  | "history"
  | "work"
  | "health"
  | "knowledge"
  | "capsules"
  | "sync";
export type PaneId =
  | "open"
  | "stranded"
  | "tail"
  | "every"
  | "lines"
  | "actions"
  | "ledger"
  | "work"
  | "briefing"
  | "findings"
  | "surroundings"
  | "candidates"
  | "capsule"
  | "capsules"
  | "procedure"
  | "sync"
  | "travelling";

export interface View {
  id: ViewId;
  digit: string;
  title: string;
  /** In the order that Tab goes through them. */
  panes: readonly [PaneId, ...PaneId[]];
}

export const VIEWS: readonly View[] = [
  { id: "overview", digit: "1", title: "Overview", panes: ["open", "stranded", "capsule", "sync", "tail"] },
  { id: "episodes", digit: "2", title: "Episodes", panes: ["every", "lines"] },
  { id: "recovery", digit: "3", title: "Recovery", panes: ["actions"] },
  { id: "capsules", digit: "4", title: "Capsules", panes: ["capsules", "procedure"] },
  { id: "sync", digit: "5", title: "Sync", panes: ["travelling"] },
  { id: "knowledge", digit: "6", title: "Knowledge", panes: ["candidates"] },
  { id: "history", digit: "7", title: "History", panes: ["ledger"] },
  { id: "work", digit: "8", title: "Work", panes: ["work", "briefing"] },
  { id: "health", digit: "9", title: "Health", panes: ["findings", "surroundings"] },
];

export function viewOf(id: ViewId): View {
  const view = VIEWS.find((candidate) => candidate.id === id);
  if (view === undefined) throw new Error(`no view ${id}`);
  return view;
}

/** Panes whose newest row is the last one: without a selection they stay at their end. */
export const FOLLOWING: ReadonlySet<PaneId> = new Set(["tail", "lines", "ledger"]);

/** What the rows of a pane are, and so what can be done to them; the overview has none of its own. */
export type RowKind = Exclude<ViewId, "overview">;

export const ROW_KIND: Readonly<Record<PaneId, RowKind>> = {
  open: "episodes",
  stranded: "episodes",
  every: "episodes",
  actions: "recovery",
  tail: "history",
  lines: "history",
  ledger: "history",
  work: "work",
  briefing: "work",
  findings: "health",
  surroundings: "health",
  candidates: "knowledge",
  capsule: "capsules",
  capsules: "capsules",
  procedure: "capsules",
  sync: "sync",
  travelling: "sync",
};

/** The pane of each view that has the keys at first. */
export const FIRST_PANES = Object.fromEntries(
  VIEWS.map((view) => [view.id, view.panes[0]]),
) as unknown as Readonly<Record<ViewId, PaneId>>;
