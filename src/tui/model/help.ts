import { keysOf, keyText } from "../key-map.ts";
import type { Binding } from "../binding.ts";
import { ROW_KIND, viewOf } from "../places.ts";
import type { ConsoleState } from "../store.ts";
import { SIGNS } from "./episode.ts";
import { DIVERGENCE } from "./labels.ts";
import { span } from "./line.ts";
import type { Line } from "./line.ts";

function keyLines(shown: readonly Binding[], bindings: readonly Binding[]): Line[] {
  return shown.map((binding) => [
    span(keysOf(binding, bindings).map(keyText).join("  ").padEnd(16), "accent"),
    span(` ${binding.title}`),
  ]);
}

/** The keys of this view, the symbols and the labels, each from the table that the console itself uses. */
export function helpLines(state: ConsoleState, bindings: readonly Binding[]): readonly Line[] {
  const kinds = new Set(viewOf(state.view).panes.map((pane) => ROW_KIND[pane]));
  const here = bindings.filter((binding) => binding.rows?.some((kind) => kinds.has(kind)));
  const everywhere = bindings.filter((binding) => binding.rows === undefined);
  return [
    [span(`On the rows of ${viewOf(state.view).title}`, "plain", true)],
    ...keyLines(here, bindings),
    [],
    [span("Everywhere", "plain", true)],
    ...keyLines(everywhere, bindings),
    [],
    [span("Symbols", "plain", true)],
    ...Object.values(SIGNS).map((sign): Line => [
      span(sign.symbol.padEnd(16), sign.tone),
      span(` ${sign.meaning}`),
    ]),
    [],
    [span("Labels of records", "plain", true)],
    ...Object.entries(DIVERGENCE).map(([label, { symbol, tone, meaning }]): Line => [
      span(`${symbol} ${label}`.padEnd(16), tone),
      span(` ${meaning}`),
    ]),
    [],
    [span("A filter is text, or event:… task:… session:… branch:… for the ledger.", "muted")],
    [span("Your own keys: .ai/local/keys.yaml, one `action: key` a line.", "muted")],
  ];
}
