import { setTimeout as after } from "node:timers/promises";
import { render } from "ink";
import type { ReactElement } from "react";
import { worksNow } from "./actions/conditions.ts";
import { App } from "./components/app.tsx";
import { ConsoleContext } from "./components/console-context.ts";
import type { Shared } from "./components/console-context.ts";
import { LookContext } from "./components/look-context.ts";
import { createData } from "./data.ts";
import type { Desk } from "./desk.ts";
import { followDisk } from "./follow-disk.ts";
import { followPerson } from "./follow.ts";
import type { Opened } from "./opening.ts";
import type { ConsoleOptions } from "./options.ts";
import { remapKeys } from "./remap.ts";
import { createRowSource } from "./row-source.ts";
import { ACT_PATIENCE } from "./questions.ts";
import type { Screen } from "./screen.ts";
import { SLICE_NAMES } from "./slices.ts";
import { createConsoleStore } from "./store.ts";
import { startTicker } from "./ticker.ts";
import { Unshown } from "./unshown.ts";
import { wantedSlices } from "./wanted.ts";

const TURN_MILLISECONDS = 10;

export interface Running {
  /** Leaves no timer, watch or question behind; settles when what was under way has come to its end. */
  stop: () => Promise<void>;
  /** Settles when every question of the first screen was answered. */
  settled: Promise<void>;
}

/** A change of the store is a frame of Ink by the next turn of the loop, and is on the screen a thirtieth of a second later. */
async function drawn(screen: Screen): Promise<boolean> {
  do await after(TURN_MILLISECONDS);
  while (screen.isOpen && screen.pending);
  return screen.isOpen;
}

/** Puts the parts of a console together and lets it run. */
export function startConsole(options: ConsoleOptions, { screen, exits, colour }: Opened): Running {
  const { roots, ask, clock, environment, places = [] } = options;
  let stopped = false;
  const store = createConsoleStore(roots, screen.size, clock.now(), places);
  const rowsOf = createRowSource();
  const data = createData({
    store,
    ask,
    clock,
    isWanted: (name) => wantedSlices(store.getState()).has(name),
  });
  const { bindings, problems } = remapKeys(options.keys);
  const works = worksNow(rowsOf);
  const desk: Desk = {
    store,
    ask,
    data,
    rowsOf,
    bindings,
    works,
    terminal: {
      control: (sequence) => screen.control(sequence),
      repaint: () => screen.repaint(),
      lend: exits.lend,
      suspend: exits.suspend,
      drawn: () => drawn(screen),
    },
    environment,
    typed: new Map(),
    unshown: new Unshown(ask),
    leave: exits.leave,
    refresh: (root, asked) => data.refresh(root, SLICE_NAMES, asked === true ? Infinity : ACT_PATIENCE),
  };
  if (problems.length > 0) store.setState({ message: { tone: "warn", text: problems.join("; ") } });

  const stopResizing = screen.onResize(() => store.setState({ size: screen.size }));
  const stopTicking = startTicker(store, clock);
  const look = {
    colour,
    ascii: options.ascii === true,
    plain: false,
    home: environment["HOME"],
    several: roots.length > 1,
  };
  const shared: Shared = { store, rowsOf, bindings, works };
  const treeWith = (keyboard: ReactElement | null): ReactElement => (
    <LookContext value={look}>
      <ConsoleContext value={shared}>
        <App />
        {keyboard}
      </ConsoleContext>
    </LookContext>
  );
  // Ink uses of a stream what the screen has: `write` and the size.
  const stdout = screen as unknown as NodeJS.WriteStream;
  const instance = render(treeWith(null), {
    stdout,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  // What the keys do is loaded when the first frame stands; the terminal keeps the keys until then.
  const listen = async (): Promise<void> => {
    const { Keyboard } = await import("./input.tsx");
    if (!stopped) instance.rerender(treeWith(<Keyboard desk={desk} />));
  };
  void listen();
  // A pane that throws ends Ink, and must end the console with its reason on the person's own screen.
  instance.waitUntilExit().catch((error: unknown) => {
    throw error;
  });
  const disk = followDisk(options, store, data);
  let stopFollowing: (() => void) | undefined;
  // Whatever is asked was looked at before, so that nothing that changes meanwhile is missed.
  const settled = disk.looked.then(() => {
    if (stopped) return undefined;
    stopFollowing = followPerson(store, data, rowsOf);
    return data.settled();
  });
  const stop = (): Promise<void> => {
    stopped = true;
    store.getState().busy?.abort.abort();
    stopResizing();
    stopFollowing?.();
    stopTicking();
    disk.close();
    data.close();
    instance.unmount();
    process.stdin.unref();
    return desk.unshown.end();
  };
  return { stop, settled };
}
