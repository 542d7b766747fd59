import { Box } from "ink";
import type { ReactElement } from "react";
import { worksNow } from "./actions/conditions.ts";
import { App } from "./components/app.tsx";
import { ConsoleContext } from "./components/console-context.ts";
import type { Shared } from "./components/console-context.ts";
import { Header, Status } from "./components/edges.tsx";
import { ListPane } from "./components/list-pane.tsx";
import { createData } from "./data.ts";
import { frameOf } from "./frame-of.ts";
import { LookContext } from "./components/look-context.ts";
import type { Look } from "./look.ts";
import type { ConsoleOptions } from "./options.ts";
import { createRowSource } from "./row-source.ts";
import { KEYS } from "./keys.ts";
import { slicesOf } from "./panes/spec.ts";
import { PANES } from "./panes/specs.ts";
import type { PaneId } from "./places.ts";
import { FIRST } from "./questions.ts";
import type { SliceName } from "./questions.ts";
import { createConsoleStore } from "./store.ts";
import { wantedSlices } from "./wanted.ts";

const DEFAULT_COLUMNS = 120;
const DEFAULT_ROWS = 36;
const PLAIN_COLUMNS = 160;

/** What a reader of plain text gets, in this order: every list, whichever view it belongs to. */
const PAGE: readonly PaneId[] = [
  "open",
  "stranded",
  "actions",
  "work",
  "capsules",
  "travelling",
  "candidates",
  "findings",
  "tail",
];

function slicesOfPage(): ReadonlySet<SliceName> {
  return new Set([...FIRST, ...PAGE.flatMap((pane) => slicesOf(PANES[pane]))]);
}

function PlainPage({ width }: { width: number }): ReactElement {
  return (
    <Box flexDirection="column" width={width}>
      <Header width={width} />
      <Status width={width} />
      {PAGE.map((pane) => (
        <ListPane key={pane} pane={pane} width={width} height={0} />
      ))}
    </Box>
  );
}

/** Waits for every answer, prints one frame, and is done. */
export async function printOnce(options: ConsoleOptions, colour: boolean): Promise<number> {
  const plain = options.plain === true;
  const columns = options.width ?? (plain ? PLAIN_COLUMNS : process.stdout.columns || DEFAULT_COLUMNS);
  const rows = options.height ?? (process.stdout.rows || DEFAULT_ROWS);
  const { roots, ask, clock, environment } = options;
  const store = createConsoleStore(roots, { columns, rows }, clock.now());
  const data = createData({ store, ask, clock, isWanted: () => true });
  const shown = plain ? slicesOfPage() : wantedSlices(store.getState());
  for (const root of roots) data.want(root, shown);
  await data.settled();
  data.close();
  const rowsOf = createRowSource();
  const shared: Shared = { store, rowsOf, bindings: KEYS, works: worksNow(rowsOf) };
  const look: Look = {
    colour: colour && !plain,
    ascii: options.ascii === true,
    plain,
    home: environment["HOME"],
    several: roots.length > 1,
  };
  const tree = (
    <LookContext value={look}>
      <ConsoleContext value={shared}>{plain ? <PlainPage width={columns} /> : <App />}</ConsoleContext>
    </LookContext>
  );
  const frame = frameOf(tree, columns, rows);
  await new Promise<void>((resolve) => {
    process.stdout.write(`${frame.replaceAll(/[ \t]+$/gm, "")}\n`, () => resolve());
  });
  return 0;
}
