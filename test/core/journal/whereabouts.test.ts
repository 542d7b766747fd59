import { cpSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openCheckout } from "../../../src/core/checkout/open.ts";
import { runCapability } from "../../../src/core/capabilities/run.ts";
import { ownEpisode } from "../../../src/core/episode/own.ts";
import { readRoster } from "../../../src/core/journal/roster.ts";
import { readEpisodes } from "../../../src/core/lifecycle/episodes.ts";
import { readState } from "../../../src/core/lifecycle/state.ts";
import { listClosedSessions } from "../../../src/core/records/session-store.ts";
import { newPlace } from "../../support/checkout.ts";
import type { Place } from "../../support/checkout.ts";
import { git } from "../../support/repository.ts";

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

/** A repository with an episode in a linked worktree, and in no other. */
async function linkedEpisode(): Promise<{ place: Place; linked: string }> {
  const place = await newPlace();
  const linked = `${place.root}-1`;
  git(place.root, "worktree", "add", "-q", "-b", "feat", linked);
  onTestFinished(() => rmSync(linked, { recursive: true, force: true }));
  await place.fire("start", "linked", { cwd: linked });
  writeFileSync(join(linked, "unfinished.txt"), "work\n");
  return { place, linked };
}

function copyOf(root: string): string {
  const copy = `${root}-copy`;
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true });
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  return copy;
}

const RECOVER_ALL = { subject: "all", older_than: "0s" } as const;

it.each([
  ["stands", () => {}],
  ["was removed", (linked: string) => rmSync(linked, { recursive: true })],
  ["was pruned", (linked: string, root: string) => git(root, "worktree", "remove", "--force", linked)],
])("a copied repository leaves an episode of a worktree that %s to the original", async (_how, remove) => {
  const { place, linked } = await linkedEpisode();
  const copy = copyOf(place.root);
  remove(linked, place.root);
  const there = await openCheckout(copy, place.surroundings);

  const [shown, ...more] = readEpisodes(there).episodes ?? [];
  expect(more).toEqual([]);
  expect(shown).toMatchObject({ standing: "foreign", here: false, worktree: linked });
  expect(shown?.recoverable).toBeUndefined();
  expect(shown?.note).toContain(join(place.root, ".git"));
  // What may be removed is the copy's own, never a file of the original.
  expect(shown?.remedy).toMatch(new RegExp(`^rm \\S*${copy}/\\.git/majordomus/episodes/`));
  const plan = await runCapability(there, "recover.plan", RECOVER_ALL);
  expect(plan).toMatchObject({
    actions: [],
    skipped: [{ reason: "belongs to another repository's worktree" }],
  });
  await runCapability(there, "recover.apply", RECOVER_ALL);
  expect(listClosedSessions(there.layout.sessions).records).toEqual([]);
});

it("a worktree that is gone is stranded in the original, although a copy of the repository stands", async () => {
  const { place, linked } = await linkedEpisode();
  copyOf(place.root);
  rmSync(linked, { recursive: true });
  expect(readEpisodes(await place.checkout()).episodes).toMatchObject([
    { standing: "stranded", recoverable: "worktree_gone" },
  ]);
});

it("a worktree of the copy sees the copied episodes as the original's", async () => {
  const place = await newPlace();
  await place.fire("start", "one");
  const copy = copyOf(place.root);
  const linked = `${copy}-1`;
  git(copy, "worktree", "add", "-q", "-b", "feat", linked);
  onTestFinished(() => rmSync(linked, { recursive: true, force: true }));
  const there = await openCheckout(linked, place.surroundings);
  expect(readEpisodes(there).episodes).toMatchObject([{ standing: "foreign", worktree: place.root }]);
  expect(await runCapability(there, "recover.plan", RECOVER_ALL)).toMatchObject({ actions: [] });
});

it("a worktree that a copy took over is the copy's, and its episode is not lost to either", async () => {
  const { place, linked } = await linkedEpisode();
  const copy = copyOf(place.root);
  git(copy, "worktree", "repair", linked);
  const there = await openCheckout(copy, place.surroundings);
  expect(readEpisodes(there).episodes).toMatchObject([{ standing: "current", worktree: linked }]);
  expect(readEpisodes(await place.checkout()).episodes).toMatchObject([{ standing: "foreign" }]);
  expect(await runCapability(await place.checkout(), "recover.plan", RECOVER_ALL)).toMatchObject({
    actions: [],
  });
});

it("a repository that was moved keeps the episodes of its worktrees, whatever stands at its old path", async () => {
  const { place, linked } = await linkedEpisode();
  const moved = `${place.root}-moved`;
  renameSync(place.root, moved);
  onTestFinished(() => rmSync(moved, { recursive: true, force: true }));
  git(moved, "init", "-q", place.root);
  git(moved, "worktree", "repair", linked);
  const there = await openCheckout(moved, place.surroundings);
  expect(readEpisodes(there).episodes).toMatchObject([{ standing: "current", worktree: linked }]);
  rmSync(linked, { recursive: true });
  expect(readEpisodes(there).episodes).toMatchObject([{ standing: "stranded" }]);
});
