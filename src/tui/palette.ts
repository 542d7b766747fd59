import { Fzf } from "fzf";
import type { Binding } from "./binding.ts";

export interface PaletteEntry {
  binding: Binding;
  /** Which characters of the title the query matched. */
  positions: ReadonlySet<number>;
}

/** The actions whose names match, best first; all that would do something now, without a query. */
export function paletteEntries(candidates: readonly Binding[], query: string): readonly PaletteEntry[] {
  if (query.trim() === "") return candidates.map((binding) => ({ binding, positions: new Set() }));
  const finder = new Fzf(candidates, {
    selector: (binding: Binding) => binding.title,
    casing: "case-insensitive",
  });
  // Its declarations import without file endings, which TypeScript does not follow here.
  const found = finder.find(query.trim()) as readonly { item: Binding; positions: ReadonlySet<number> }[];
  return found.map(({ item, positions }) => ({ binding: item, positions }));
}
