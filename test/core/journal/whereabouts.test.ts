import { cpSync, renameSync, rmSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { openCheckout } from "../../../src/core/checkout/open.ts";
import { runCapability } from "../../../src/core/capabilities/run.ts";
import { ownEpisode } from "../../../src/core/episode/own.ts";
import { readRoster } from "../../../src/core/journal/roster.ts";
import { readEpisodes } from "../../../src/core/lifecycle/episodes.ts";
import { readState } from "../../../src/core/lifecycle/state.ts";
import { newPlace } from "../../support/checkout.ts";

it("an episode in a copied repository is the original's, and is neither current nor recoverable in the copy", async () => {
  const place = await newPlace();
  await place.fire("start", "one", { processId: process.pid });
  const body = "# Objective\nx\n# Current State\nc\n# Next Action\ny\n";
  await runCapability(await place.checkout(), "handover.write", { body, no_task: true });
  const copy = `${place.root}-copy`;
  cpSync(place.root, copy, { recursive: true, verbatimSymlinks: true });
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));

  const there = await openCheckout(copy, place.surroundings);
  expect(readEpisodes(there).episodes).toMatchObject([{ standing: "foreign", worktree: place.root }]);
  expect(readState(there).session?.standing).not.toBe("current");
  const own = ownEpisode(there, readRoster(there));
  expect(own?.standing).toBe("foreign");
  expect(await runCapability(there, "recover.plan", { older_than: "0s" })).toMatchObject({ actions: [] });
  expect(readState(there).handover?.match).toBe("same_branch");
  expect(readEpisodes(await place.checkout()).episodes).toMatchObject([{ standing: "current" }]);
  expect(readState(await place.checkout()).handover?.match).toBe("same_worktree_same_branch");
});

it("an episode of a repository that was moved goes on where it is now", async () => {
  const place = await newPlace();
  await place.fire("start", "one");
  const moved = `${place.root}-moved`;
  renameSync(place.root, moved);
  onTestFinished(() => rmSync(moved, { recursive: true, force: true }));
  const there = await openCheckout(moved, place.surroundings);
  expect(readEpisodes(there).episodes).toMatchObject([{ standing: "current", worktree: moved }]);
});
