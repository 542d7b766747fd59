import type { SliceName } from "./questions.ts";
import type { Slice } from "./slices.ts";
import type { ConsoleState, Store } from "./store.ts";

/** Gathers changes to slices and writes them to the store together. */
export interface SliceWriter {
  patch(root: string, name: SliceName, change: (slice: Slice<unknown>) => Slice<unknown>): void;
  /** A slice as it will be when everything that is gathered has been written. */
  peek(root: string, name: SliceName): Slice<unknown> | undefined;
  /** Writes at once what is gathered. */
  flush(): void;
  close(): void;
}

/** Every write lays out and draws the whole screen: at most twelve a second. */
const WRITE_MILLISECONDS = 80;

/** The first change after a rest is written with the same turn's others, later ones are gathered. */
export function createSliceWriter(store: Store): SliceWriter {
  let pending: ConsoleState["repositories"] = store.getState().repositories;
  let timer: NodeJS.Timeout | undefined;
  let writtenAt = Number.NEGATIVE_INFINITY;

  const write = (): void => {
    timer = undefined;
    if (pending === store.getState().repositories) return;
    writtenAt = performance.now();
    store.setState({ repositories: pending });
  };

  return {
    patch(root, name, change) {
      const slices = pending[root];
      if (slices === undefined) return;
      const slice: Slice<unknown> = slices[name];
      const next = change(slice);
      if (next === slice) return;
      pending = { ...pending, [root]: { ...slices, [name]: next } };
      timer ??= setTimeout(write, Math.max(0, WRITE_MILLISECONDS - (performance.now() - writtenAt)));
    },
    peek: (root, name) => pending[root]?.[name],
    flush() {
      clearTimeout(timer);
      write();
    },
    close() {
      clearTimeout(timer);
    },
  };
}
