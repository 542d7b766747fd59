import type { Data } from "./data.ts";
import { POSED } from "./posed.ts";
import type { RowSource } from "./row-source.ts";
import type { ConsoleState, Store } from "./store.ts";
import { wantedSlices } from "./wanted.ts";

/** Holding a key down passes many rows: only the one where it stops is asked about. */
const PAUSE_MILLISECONDS = 120;

/** Asks for what the person looks at: the slices of a view, and whatever depends on the row or the filter. */
export function followPerson(store: Store, data: Data, rowsOf: RowSource): () => void {
  /** By slice and repository, as JSON: what was asked last. */
  const asked = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;

  const news = (state: ConsoleState): (() => void)[] =>
    POSED.flatMap(({ slice, question }) => {
      const posed = question(state, rowsOf);
      return state.roots.flatMap((root) => {
        const input = posed?.root === undefined || posed.root === root ? posed?.input : undefined;
        const key = `${slice}\0${root}`;
        const text = input === undefined ? "" : JSON.stringify(input);
        if ((asked.get(key) ?? "") === text) return [];
        return [
          () => {
            asked.set(key, text);
            data.pose(root, slice, input);
          },
        ];
      });
    });

  const ask = (): void => {
    timer = undefined;
    for (const pose of news(store.getState())) pose();
  };

  const follow = (state: ConsoleState): void => {
    const wanted = wantedSlices(state);
    for (const root of state.roots) data.want(root, wanted);
    clearTimeout(timer);
    timer = news(state).length === 0 ? undefined : setTimeout(ask, PAUSE_MILLISECONDS);
  };

  follow(store.getState());
  const unsubscribe = store.subscribe(follow);
  return () => {
    clearTimeout(timer);
    unsubscribe();
  };
}
