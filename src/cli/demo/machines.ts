import { join } from "node:path";
import { openPorcelain } from "../../core/git/porcelain.ts";
import { openStage } from "./stage.ts";
import type { MovableClock, Stage } from "./stage.ts";

const HOUR = 3_600_000;
const SESSION = "demo-machines";

/** The second machine of the same person: a key of its own, and later a clone. */
export interface Desktop {
  root: string;
  stage: Stage;
}

type Environment = Stage["surroundings"]["environment"];

/** Where the second machine keeps its key, and where its clone will be. */
export function openDesktop(home: string, clock: MovableClock, environment: Environment): Desktop {
  const own = { ...environment, XDG_STATE_HOME: join(home, "state-of-desktop"), USER: "wren" };
  return { root: join(home, "tidepool-desktop"), stage: openStage(clock, own, 20_260_902) };
}

/** Names both machines, and says in the repository that each may speak: a file that a person commits. */
export async function declareMachines(
  laptop: Stage,
  desktop: Desktop,
  root: string,
): Promise<Record<string, string>> {
  const keys: string[] = [];
  for (const [stage, label] of [
    [laptop, "laptop"],
    [desktop.stage, "desktop"],
  ] as const) {
    const device = await stage.perform(root, SESSION, "continuity.device", { label });
    keys.push((device as { public_key: string }).public_key);
  }
  const lines = [
    "schema: mesh/v1",
    "kind: mesh-declaration",
    "id: tidepool",
    "trust:",
    "  policy: allowlist",
    "  allow:",
    ...keys.map((key) => `    - "${key}"`),
    "",
  ];
  return { ".ai/repo/mesh/tidepool.yaml": lines.join("\n") };
}

function handover(objective: string, state: string, next: string): string {
  return `# Objective\n\n${objective}\n\n# Current State\n\n${state}\n\n# Next Action\n\n${next}\n`;
}

async function publish(stage: Stage, root: string, body: string): Promise<string> {
  await stage.perform(root, SESSION, "handover.write", { body, no_task: true });
  const answer = await stage.perform(root, SESSION, "continuity.publish", {});
  return (answer as { record: { id: string } }).record.id;
}

async function sync(stage: Stage, root: string): Promise<void> {
  await stage.perform(root, SESSION, "continuity.sync", {});
}

/**
 * Work that travelled this morning: published here, gone on with on the other machine, and meanwhile here too,
 * so that its line has two ends.
 */
export async function playMorning(laptop: Stage, root: string, desktop: Desktop, now: number): Promise<void> {
  const home = join(root, "..");
  const remote = join(home, "tidepool.git");
  const git = openPorcelain(root, laptop.surroundings.environment);
  await git.createBareRemote("origin", remote);
  await git.push("origin", "main");
  await openPorcelain(home, laptop.surroundings.environment).run([
    "clone",
    "-q",
    "-b",
    "main",
    remote,
    desktop.root,
  ]);
  laptop.clock.set(now - 10 * HOUR);
  await publish(
    desktop.stage,
    desktop.root,
    handover(
      "Say where a height was read",
      "Three tables name their gauge below the heights.",
      "Name the gauge of Stromness, and print its table again.",
    ),
  );
  laptop.clock.set(now - 9 * HOUR);
  const first = await publish(
    laptop,
    root,
    handover("Print an index of the harbours", "The order along the coast stands.", "Draw the index."),
  );
  await sync(laptop, root);
  laptop.clock.set(now - 8 * HOUR);
  await sync(desktop.stage, desktop.root);
  await desktop.stage.perform(desktop.root, SESSION, "continuity.resume", { record: first });
  await publish(
    desktop.stage,
    desktop.root,
    handover(
      "Print an index of the harbours",
      "The index is drawn in two columns.",
      "Ask the printer about the second column.",
    ),
  );
  await sync(desktop.stage, desktop.root);
  laptop.clock.set(now - 7 * HOUR);
  await publish(
    laptop,
    root,
    handover(
      "Print an index of the harbours",
      "The index is drawn in one column, with the page of each table.",
      "Compare the page numbers with the tables.",
    ),
  );
}

/** What the other machine left for this one at noon, on a branch of its own. */
export async function playNoon(laptop: Stage, root: string, desktop: Desktop, now: number): Promise<void> {
  laptop.clock.set(now - 2 * HOUR);
  await openPorcelain(desktop.root, desktop.stage.surroundings.environment).run([
    "switch",
    "-q",
    "-c",
    "fix/whitby",
  ]);
  await publish(
    desktop.stage,
    desktop.root,
    handover(
      "Find the datum of Whitby",
      "The harbour office answered: ordnance datum, 3.0 metres above chart datum.",
      "Convert the old table with it, and compare three heights.",
    ),
  );
  await sync(desktop.stage, desktop.root);
  laptop.clock.set(now - HOUR / 3);
  await sync(laptop, root);
}
