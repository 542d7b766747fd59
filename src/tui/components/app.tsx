import { Box } from "ink";
import type { ReactElement } from "react";
import { layoutOf } from "../layout.ts";
import type { Layout } from "../layout.ts";
import type { Mode } from "../mode.ts";
import { span } from "../model/line.ts";
import { SMALLEST } from "../model/size.ts";
import type { Size } from "../model/size.ts";
import type { RowSource } from "../row-source.ts";
import { focusedPane } from "../store.ts";
import type { ConsoleState } from "../store.ts";
import { ViewBody } from "../views/view-body.tsx";
import { useParts, useShared } from "./console-context.ts";
import { Footer, Header, Status, Tabs } from "./edges.tsx";
import { PaletteView } from "./palette-view.tsx";
import { PanelView } from "./panel.tsx";
import { Row } from "./row.tsx";

/** Rows that the palette takes from the panes; 0 where it takes all of them. */
export function paletteRows({ rows }: Size): number {
  return rows >= 24 ? Math.min(14, Math.floor(rows / 2)) : 0;
}

/** The layout of the panes as they stand now. */
export function currentLayout(state: ConsoleState, rowsOf: RowSource): Layout | undefined {
  const taken = state.mode.kind === "palette" ? paletteRows(state.size) : 0;
  const size = { ...state.size, rows: state.size.rows - taken };
  const wanted = { open: rowsOf(state, "open").length, stranded: rowsOf(state, "stranded").length };
  return layoutOf(size, state.view, focusedPane(state), wanted);
}

function TooSmall({ size }: { size: Size }): ReactElement {
  const text = `${SMALLEST.columns}×${SMALLEST.rows} needed, this is ${size.columns}×${size.rows}`;
  return <Row line={[span(text, "warn")]} width={size.columns} />;
}

const COVERING: ReadonlySet<Mode["kind"]> = new Set(["help", "reader", "confirm", "form"]);

/** The whole screen: a row above, a row below, and between them the panes or what covers them. */
export function App(): ReactElement {
  const { store, rowsOf } = useShared();
  useParts((state) => [state.size, state.view, state.focus, state.mode, state.repositories, state.filters]);
  const state = store.getState();
  const { size, mode } = state;
  const layout = currentLayout(state, rowsOf);
  if (size.columns < SMALLEST.columns || size.rows < SMALLEST.rows) return <TooSmall size={size} />;
  const width = size.columns;
  const taken = mode.kind === "palette" ? paletteRows(size) : 0;
  const edges = 2 + Number(layout?.status ?? false);
  const whole = size.rows - 1 - edges;
  const covered = COVERING.has(mode.kind);
  const paletteAlone = mode.kind === "palette" && taken === 0;
  const panes = layout !== undefined && !covered && !paletteAlone;
  return (
    <Box flexDirection="column" width={width} height={size.rows - 1}>
      <Header width={width} />
      {panes && layout.tabs && <Tabs width={width} />}
      {panes && <ViewBody columns={layout.columns} width={width} />}
      {covered && <PanelView width={width} height={whole} />}
      {mode.kind === "palette" && <PaletteView width={width} height={taken === 0 ? whole : taken} />}
      {layout?.status === true && <Status width={width} />}
      <Footer width={width} />
    </Box>
  );
}
