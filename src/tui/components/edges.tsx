import type { ReactElement } from "react";
import { useContext } from "react";
import { hintsNow } from "../actions/conditions.ts";
import { LookContext } from "./look-context.ts";
import { footerLine } from "../model/footer.ts";
import { dataAge, headerLine } from "../model/header.ts";
import { span } from "../model/line.ts";
import { statusLine } from "../model/status.ts";
import { viewOf } from "../places.ts";
import { PANES } from "../panes/specs.ts";
import { currentRow } from "../row-source.ts";
import { focusedPane } from "../store.ts";
import { useParts, useShared } from "./console-context.ts";
import { Row } from "./row.tsx";

/** The repository that the header and the status speak of: the one of the row under the cursor. */
function useRoot(): string {
  const { store, rowsOf } = useShared();
  const state = store.getState();
  const [first] = state.roots;
  return currentRow(state, rowsOf)?.root ?? first ?? "";
}

export function Header({ width }: { width: number }): ReactElement {
  const { store } = useShared();
  // The age as it reads, not the time itself: that moves with every look at the disk.
  useParts((state) => [
    state.repositories,
    dataAge(state),
    state.feed,
    state.cursors,
    state.focus,
    state.view,
  ]);
  const root = useRoot();
  return <Row line={headerLine(store.getState(), root, width)} width={width} />;
}

/** The panes of a view of which only one has room. */
export function Tabs({ width }: { width: number }): ReactElement {
  const { store } = useShared();
  useParts((state) => [state.view, state.focus]);
  const state = store.getState();
  const tabs = viewOf(state.view).panes.map((pane) => {
    const current = pane === focusedPane(state);
    return span(` ${PANES[pane].title} `, current ? "accent" : "muted", current);
  });
  return <Row line={tabs} width={width} />;
}

export function Status({ width }: { width: number }): ReactElement {
  const { store } = useShared();
  useParts((state) => [state.repositories, state.now, state.message, state.cursors, state.focus, state.view]);
  const root = useRoot();
  return <Row line={statusLine(store.getState(), root, width)} width={width} />;
}

export function Footer({ width }: { width: number }): ReactElement {
  const { store, bindings, rowsOf } = useShared();
  const look = useContext(LookContext);
  useParts((state) => [
    state.mode,
    state.busy,
    state.view,
    state.focus,
    state.cursors,
    state.repositories,
    state.message,
  ]);
  const state = store.getState();
  if (look.plain) return <Row line={[]} width={width} />;
  const hints = hintsNow(rowsOf);
  const line = footerLine(state, bindings, (binding) => hints(binding, state), width);
  return <Row line={line} width={width} />;
}
