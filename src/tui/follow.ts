import type { Data } from "./data.ts";
import { historyInput, parseFilter } from "./model/filter.ts";
import { selectedRow } from "./row-source.ts";
import type { RowSource } from "./row-source.ts";
import type { ConsoleState, Store } from "./store.ts";
import { wantedSlices } from "./wanted.ts";

/** Holding a key down passes many rows: only the one where it stops is asked about. */
const PAUSE_MILLISECONDS = 120;
const OWN_LINES_LIMIT = 500;
const FOUND_LIMIT = 1000;

interface Questions {
  /** Repository and episode whose ledger lines are shown. */
  lines: { root: string; session: string } | undefined;
  found: string;
}

function questionsOf(state: ConsoleState, rowsOf: RowSource): Questions {
  const row = state.view === "episodes" ? selectedRow(state, rowsOf, "every") : undefined;
  const session =
    row?.kind === "episode"
      ? row.episode.session_id
      : row?.kind === "closed"
        ? row.closed.session_id
        : undefined;
  const lines = row === undefined || session === undefined ? undefined : { root: row.root, session };
  return { lines, found: state.view === "history" ? (state.filters.ledger ?? "") : "" };
}

/** Asks for what the person looks at: the slices of a view, the lines of the selected episode, a search. */
export function followPerson(store: Store, data: Data, rowsOf: RowSource): () => void {
  let asked: Questions = { lines: undefined, found: "" };
  let timer: NodeJS.Timeout | undefined;

  const ask = (): void => {
    timer = undefined;
    const state = store.getState();
    const { lines, found } = questionsOf(state, rowsOf);
    const newLines = lines?.root !== asked.lines?.root || lines?.session !== asked.lines?.session;
    const newFound = found !== asked.found;
    asked = { lines, found };
    for (const root of state.roots) {
      if (newLines) {
        const own = lines?.root === root ? { session: lines.session, limit: OWN_LINES_LIMIT } : undefined;
        data.pose(root, "lines", own);
      }
      if (newFound) {
        data.pose(root, "found", found === "" ? undefined : historyInput(parseFilter(found), FOUND_LIMIT));
      }
    }
  };

  const follow = (state: ConsoleState): void => {
    for (const root of state.roots) data.want(root, wantedSlices(state));
    const { lines, found } = questionsOf(state, rowsOf);
    const same =
      lines?.session === asked.lines?.session && lines?.root === asked.lines?.root && found === asked.found;
    clearTimeout(timer);
    timer = same ? undefined : setTimeout(ask, PAUSE_MILLISECONDS);
  };

  follow(store.getState());
  const unsubscribe = store.subscribe(follow);
  return () => {
    clearTimeout(timer);
    unsubscribe();
  };
}
