import { basename, join } from "node:path";
import { expect } from "vitest";
import { readCommon, readStores } from "../../scenario/support/stores.ts";
import type { Stores } from "../../scenario/support/stores.ts";
import type { Model, ModelEpisode } from "./model.ts";
import { WORKTREES } from "./world.ts";
import type { World, WorktreeName } from "./world.ts";

/** Gives each episode of the model the id that the program gave it, by the registration of its session. */
function learnIds(model: Model, world: World): void {
  const common = readCommon(join(world.place.root, ".git"));
  const all = [...common.registrations, ...common.ended];
  const taken = new Set(model.episodes.map(({ id }) => id));
  for (const episode of model.episodes) {
    if (episode.id !== undefined) continue;
    const fresh = all.filter(
      ({ raw_id, session_id }) => raw_id === episode.session && !taken.has(session_id),
    );
    expect(fresh, `one new registration of ${episode.session}`).toHaveLength(1);
    const [found] = fresh;
    episode.id = found?.session_id ?? "";
    taken.add(episode.id);
    expect(found?.continues?.session_id, `what ${episode.id} continues`).toBe(episode.continues?.id);
  }
  expect(new Set(all.map(({ session_id }) => session_id)).size).toBe(model.episodes.length);
}

/** What recovery writes in somebody else's name: who asked for it, or whom it is about. */
const OF_RECOVERY: ReadonlySet<string> = new Set([
  "session.recovered",
  "knowledge.derived",
  "task.handed_over",
]);

function sorted(texts: readonly (string | undefined)[]): string[] {
  return texts.map((text) => text ?? "").toSorted();
}

function expectWorktree(name: WorktreeName, stores: Stores, model: Model): void {
  const mine = (episode: ModelEpisode): boolean => episode.worktree === name && model.standsStill(episode);
  const open = model.open().filter(mine);
  const files = [...stores.open.values()].map((fields) => fields["session_id"]);
  expect(sorted(files), `open files of ${name}`).toEqual(sorted(open.map(({ id }) => id)));
  if (stores.pointer !== undefined) {
    expect([...stores.open.keys()], `pointer of ${name}`).toContain(basename(stores.pointer, ".yaml"));
  }
  // No other episode's lines, save what a recovery from elsewhere, or of a lost worktree, says here.
  const own = new Set(model.episodes.filter(mine).map(({ id }) => id));
  const all = new Set(model.episodes.map(({ id }) => id));
  for (const line of stores.ledger) {
    if (line.session === undefined) continue;
    expect(OF_RECOVERY.has(line.event) ? all : own, `${name}: ${JSON.stringify(line)}`).toContain(
      line.session,
    );
  }
  for (const episode of model.episodes.filter(mine)) {
    const lines = stores.ledger.filter((line) => line.session === episode.id);
    const count = (event: string): number => lines.filter((line) => line.event === event).length;
    expect(count("session.started"), `starts of ${episode.id}`).toBe(1);
    expect(count("session.closed"), `closes of ${episode.id}`).toBe(episode.state === "sealed" ? 1 : 0);
    const document = stores.contexts.filter(({ text }) => text.includes(`\nsession_id: ${episode.id}\n`));
    expect(document, `contexts of ${episode.id}`).toHaveLength(1);
    const isClosed = document[0]?.text.includes("\n## Close\n");
    expect(isClosed, `close of ${episode.id}`).toBe(episode.state !== "open");
  }
}

function expectRecords(all: readonly Stores[], model: Model): void {
  const records = all.flatMap((stores) => stores.records);
  for (const episode of model.episodes) {
    const mine = records.filter(({ fields }) => fields["session_id"] === episode.id);
    // The record of an episode that was sealed in a worktree went with it, unless it was committed.
    const mayBeLost = episode.state === "sealed" && !model.standsStill(episode);
    if (episode.state === "open") expect(mine, `records of open ${episode.id}`).toEqual([]);
    else if (!mayBeLost) {
      expect(mine.length, `records of ${episode.state} ${episode.id}`).toBeLessThanOrEqual(1);
      for (const { fields } of mine) expect(fields["outcome"]).toBe(episode.outcome);
    }
  }
  const ids = records.map(({ fields }) => fields["session_id"]);
  expect(ids.length, "one record an episode").toBe(new Set(ids).size);
}

/** Compares everything that stands on disk, and the program's own balance, with the model. */
export async function verify(model: Model, world: World): Promise<void> {
  learnIds(model, world);
  const existing = WORKTREES.filter((name) => model.exists(name));
  const stores = existing.map((name) => readStores(world.pathOf(name)));
  for (const [index, name] of existing.entries()) {
    const found = stores[index];
    if (found !== undefined) expectWorktree(name, found, model);
  }
  expectRecords(stores, model);
  const common = readCommon(join(world.place.root, ".git"));
  expect(sorted(common.registrations.map(({ session_id }) => session_id))).toEqual(
    sorted(model.open().map(({ id }) => id)),
  );
  expect([common.spool, common.unusable]).toEqual([[], []]);
  const last = existing.at(-1) ?? "main";
  const balance = await world.balance(last);
  const states = (state: ModelEpisode["state"]): number =>
    model.episodes.filter((episode) => episode.state === state).length;
  expect(balance).toMatchObject({
    started: model.episodes.length,
    open: states("open"),
    unaccounted: 0,
    agrees: true,
  });
  expect(balance.closed + balance.recovered).toBe(states("sealed") + states("recovered"));
}
