import { historyInput, parseFilter } from "./model/filter.ts";
import type { Row } from "./model/rows.ts";
import type { PaneId, ViewId } from "./places.ts";
import type { SliceName } from "./questions.ts";
import { selectedRow } from "./row-source.ts";
import type { RowSource } from "./row-source.ts";
import type { ConsoleState } from "./store.ts";

/** A slice whose question depends on what the person looks at. */
interface Posed {
  slice: SliceName;
  /** Undefined while nobody looks at such a thing; without a root it goes to every repository. */
  question: (state: ConsoleState, rowsOf: RowSource) => { root?: string; input: unknown } | undefined;
}

const OWN_LINES_LIMIT = 500;
const FOUND_LIMIT = 1000;

/** A question about the row under the cursor of a pane, while its view is shown. */
function aboutRow(slice: SliceName, view: ViewId, pane: PaneId, input: (row: Row) => unknown): Posed {
  return {
    slice,
    question: (state, rowsOf) => {
      const row = state.view === view ? selectedRow(state, rowsOf, pane) : undefined;
      const asked = row === undefined ? undefined : input(row);
      return row === undefined || asked === undefined ? undefined : { root: row.root, input: asked };
    },
  };
}

function sessionOf(row: Row): string | undefined {
  if (row.kind === "episode") return row.episode.session_id;
  return row.kind === "closed" ? row.closed.session_id : undefined;
}

/** The commit of a record that may have been taken elsewhere by a rebase or a squash. */
function lostCommitOf(row: Row | undefined): string | undefined {
  if (row?.kind === "travel") return row.record.head;
  if (row?.kind !== "closed") return undefined;
  const { divergence, head } = row.closed;
  return divergence === "diverged" || divergence === "different_context" ? head : undefined;
}

/** The questions that follow the cursor and the filter. */
export const POSED: readonly Posed[] = [
  aboutRow("lines", "episodes", "every", (row) => {
    const session = sessionOf(row);
    return session === undefined ? undefined : { session, limit: OWN_LINES_LIMIT };
  }),
  {
    slice: "found",
    question: ({ view, filters }) => {
      const text = view === "history" ? (filters.ledger ?? "") : "";
      return text === "" ? undefined : { input: historyInput(parseFilter(text), FOUND_LIMIT) };
    },
  },
  aboutRow("candidate", "knowledge", "candidates", (row) =>
    row.kind === "candidate" ? { id: row.candidate.id } : undefined,
  ),
  aboutRow("capsule", "capsules", "capsules", (row) =>
    row.kind === "capsule" ? { capsule: row.file.name } : undefined,
  ),
  aboutRow("resumePlan", "sync", "travelling", (row) =>
    row.kind === "travel" ? { record: row.record.id } : undefined,
  ),
  {
    slice: "hints",
    question: (state, rowsOf) => {
      const pane = state.view === "episodes" ? "every" : state.view === "sync" ? "travelling" : undefined;
      const row = pane === undefined ? undefined : selectedRow(state, rowsOf, pane);
      const head = lostCommitOf(row);
      return row === undefined || head === undefined ? undefined : { root: row.root, input: { head } };
    },
  },
];
