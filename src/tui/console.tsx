import { render } from "ink";
import { worksNow } from "./actions/conditions.ts";
import { App } from "./components/app.tsx";
import { ConsoleContext } from "./components/console-context.ts";
import { createData } from "./data.ts";
import type { Desk } from "./desk.ts";
import type { Exits } from "./exits.ts";
import { followPerson } from "./follow.ts";
import { Keyboard } from "./input.tsx";
import { startFeed } from "./live.ts";
import { LookContext } from "./look.ts";
import type { ConsoleOptions } from "./options.ts";
import { remapKeys } from "./remap.ts";
import { createRowSource } from "./row-source.ts";
import type { Screen } from "./screen.ts";
import { ACT_PATIENCE } from "./questions.ts";
import { SLICE_NAMES } from "./slices.ts";
import { createConsoleStore } from "./store.ts";
import { startTicker } from "./ticker.ts";
import { wantedSlices } from "./wanted.ts";

export interface Surroundings {
  screen: Screen;
  exits: Exits;
  colour: boolean;
}

/**
 * Puts the parts of a console together and lets it run.
 *
 * @returns what stops it: no timer, watch or question is left behind.
 */
export function startConsole(options: ConsoleOptions, { screen, exits, colour }: Surroundings): () => void {
  const { roots, ask, clock, environment } = options;
  const store = createConsoleStore(roots, screen.size, clock.now());
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
      lend: exits.lend,
      suspend: exits.suspend,
    },
    environment,
    leave: exits.leave,
    refresh: (root, asked) => data.refresh(root, SLICE_NAMES, asked === true ? Infinity : ACT_PATIENCE),
  };
  if (problems.length > 0) store.setState({ message: { tone: "warn", text: problems.join("; ") } });

  const stopResizing = screen.onResize(() => store.setState({ size: screen.size }));
  const stopFollowing = followPerson(store, data, rowsOf);
  const feeds = roots.map((root) =>
    startFeed({
      plan: () => options.watch(root),
      worktrees: () => worktreesOf(store.getState().repositories[root]?.episodes.data?.episodes),
      onChange: (slices) => data.refresh(root, slices),
      onFeed: (feed) => store.setState({ feed }),
      onVerified: () => store.setState({ verified: clock.now() }),
    }),
  );
  // New episodes bring new files, worktrees and processes to look at.
  const stopRenewing = store.subscribe((state, before) => {
    for (const [index, root] of roots.entries()) {
      const { data: episodes } = state.repositories[root]?.episodes ?? {};
      const known = before.repositories[root]?.episodes.data;
      if (episodes !== known && known !== undefined) feeds[index]?.renew();
    }
  });
  const stopTicking = startTicker(store, clock);
  const look = {
    colour,
    ascii: options.ascii === true,
    plain: false,
    home: environment["HOME"],
    several: roots.length > 1,
  };
  const instance = render(
    <LookContext value={look}>
      <ConsoleContext value={{ store, rowsOf, bindings, works }}>
        <App />
        <Keyboard desk={desk} />
      </ConsoleContext>
    </LookContext>,
    // Ink uses of a stream what the screen has: `write` and the size.
    { stdout: screen as unknown as NodeJS.WriteStream, debug: true, exitOnCtrlC: false, patchConsole: false },
  );
  // A pane that throws ends Ink, and must end the console with its reason on the person's own screen.
  instance.waitUntilExit().catch((error: unknown) => {
    throw error;
  });
  return () => {
    store.getState().busy?.abort.abort();
    stopResizing();
    stopFollowing();
    stopRenewing();
    stopTicking();
    for (const feed of feeds) feed.close();
    data.close();
    instance.unmount();
    process.stdin.unref();
  };
}

function worktreesOf(episodes: readonly { worktree?: string | undefined }[] | undefined): Set<string> {
  return new Set(
    (episodes ?? []).flatMap((episode) => (episode.worktree === undefined ? [] : [episode.worktree])),
  );
}
