import { createContext, useContext } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import type { Binding } from "../binding.ts";
import type { RowSource } from "../row-source.ts";
import type { ConsoleState, Store } from "../store.ts";

/** What every component of one console shares. */
export interface Shared {
  store: Store;
  rowsOf: RowSource;
  bindings: readonly Binding[];
  /** Whether a key would do something now. */
  works: (binding: Binding, state: ConsoleState) => boolean;
}

export const ConsoleContext = createContext<Shared | undefined>(undefined);

export function useShared(): Shared {
  const shared = useContext(ConsoleContext);
  if (shared === undefined) throw new Error("a pane stands outside the console");
  return shared;
}

/** A part of the state; the component draws again only when one of its items is another one. */
export function useParts<Parts extends readonly unknown[]>(select: (state: ConsoleState) => Parts): Parts {
  return useStore(useShared().store, useShallow(select));
}
