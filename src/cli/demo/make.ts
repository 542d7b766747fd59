import { join } from "node:path";
import { initialiseLayer } from "../../core/boundary/initialise.ts";
import type { Surroundings } from "../../core/checkout/checkout.ts";
import { canonicalPath } from "../../core/fs/contain.ts";
import { listDirectory, readText } from "../../core/fs/read.ts";
import { makeDirectory } from "../../core/fs/write.ts";
import { openPorcelain } from "../../core/git/porcelain.ts";
import { declareMachines, openDesktop, playMorning, playNoon } from "./machines.ts";
import { playPast } from "./past.ts";
import { playPresent } from "./present.ts";
import { movableClock, openStage } from "./stage.ts";
import { AUTHOR, SOURCES } from "./story.ts";

const DAY = 24 * 3_600_000;

export interface Demo {
  /** The main worktree. */
  root: string;
  /** Of the person whose machine it is: the key of that machine is the demo's own, never the user's. */
  environment: Surroundings["environment"];
}

/** The layer's files that a person would commit, by path. */
function layerFiles(root: string, directory: string = ".ai"): Record<string, string> {
  const files: Record<string, string> = {};
  for (const name of listDirectory(join(root, directory))) {
    const path = `${directory}/${name}`;
    if (path === ".ai/local") continue;
    const text = readText(join(root, path), { maximumBytes: 1024 * 1024 });
    if (text.ok) files[path] = text.value;
    else Object.assign(files, layerFiles(root, path));
  }
  return files;
}

/**
 * Makes the demo repository in `directory`: five days of work in a few seconds, told through the program's own
 * boundary with a clock that is moved.
 *
 * @param now milliseconds since the epoch; when the story has arrived at today
 * @returns what the console is opened on
 */
export async function makeDemo(
  directory: string,
  now: number,
  environment: Surroundings["environment"],
  progress: (done: number, total: number) => void,
): Promise<Demo> {
  makeDirectory(directory);
  const home = canonicalPath(directory);
  const root = join(home, "tidepool");
  const begin = now - 5 * DAY;
  const clock = movableClock(begin);
  // The demo's sessions are looked up nowhere but in the demo: the user's own index stays as it is.
  const stage = openStage(clock, { ...environment, XDG_STATE_HOME: join(home, "state"), USER: "wren" });
  const git = openPorcelain(root, environment);
  await git.initRepository({ branch: "main" });
  await git.commitFiles({ files: SOURCES, message: "Begin", at: begin - DAY, author: AUTHOR });
  await initialiseLayer(root, { extend: false });
  const desktop = openDesktop(home, clock, environment);
  const mesh = await declareMachines(stage, desktop, root);
  const ignore = readText(join(root, ".gitignore"), { maximumBytes: 65_536 });
  await git.commitFiles({
    files: {
      ...layerFiles(root),
      ...layerFiles(root, ".aigent"),
      ...mesh,
      ...(ignore.ok ? { ".gitignore": ignore.value } : {}),
    },
    message: "Lay the layer",
    at: begin - DAY,
    author: AUTHOR,
  });
  await playPast(stage, root, begin, progress);
  const worktrees = {
    main: root,
    parser: join(home, "tidepool-parser"),
    harbours: join(home, "tidepool-harbours"),
    spike: join(home, "tidepool-spike"),
  };
  await git.addWorktree(worktrees.parser, "feat/parser");
  await git.addWorktree(worktrees.harbours, "fix/harbours");
  await git.addWorktree(worktrees.spike, "spike/neap-tides");
  await playMorning(stage, root, desktop, now);
  await playPresent(stage, worktrees, now);
  await playNoon(stage, root, desktop, now);
  return { root, environment: stage.surroundings.environment };
}
