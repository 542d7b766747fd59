import type { ReactElement } from "react";
import { graphemesOf } from "../cells.ts";
import { GLYPH } from "../glyphs.ts";
import { keysOf, keyText } from "../key-map.ts";
import { show, span, spread } from "../model/line.ts";
import type { Line } from "../model/line.ts";
import { windowOf } from "../model/window.ts";
import { paletteEntries } from "../palette.ts";
import type { Binding } from "../binding.ts";
import type { PaletteEntry } from "../palette.ts";
import { useParts, useShared } from "./console-context.ts";
import { Framed } from "./framed.tsx";

function entryLine(
  { binding, positions }: PaletteEntry,
  bindings: readonly Binding[],
  selected: boolean,
  width: number,
): Line {
  const title = graphemesOf(binding.title).map((letter, index) =>
    span(letter, positions.has(index) ? "accent" : "plain", selected),
  );
  const keys = span(keysOf(binding, bindings).map(keyText).join("  "), "muted");
  return spread([span(selected ? `${GLYPH.cursor} ` : "  ", "accent"), ...title], [keys, span(" ")], width);
}

/** Every action by name. */
export function PaletteView({ width, height }: { width: number; height: number }): ReactElement | null {
  const { store, bindings, works } = useShared();
  useParts((state) => [state.mode]);
  const state = store.getState();
  if (state.mode.kind !== "palette") return null;
  const candidates = bindings.filter((binding) => binding.moves !== true && works(binding, state));
  const entries = paletteEntries(candidates, state.mode.query);
  const room = Math.max(1, height - 3);
  const position = Math.min(state.mode.index, entries.length - 1);
  const { top, end } = windowOf(entries.length, room, position);
  const lines: Line[] = [
    [span(" : ", "accent"), span(show(state.mode.query)), span("█", "accent")],
    ...entries
      .slice(top, end)
      .map((entry, index) => entryLine(entry, bindings, top + index === position, width - 2)),
    ...(entries.length === 0 ? [[span("   no action has such a name", "muted")]] : []),
  ];
  return (
    <Framed
      title="Actions"
      counts={String(entries.length)}
      focused
      lines={lines}
      width={width}
      height={height}
    />
  );
}
