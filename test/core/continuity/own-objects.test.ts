import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { noteObjects } from "../../../src/core/continuity/own-objects.ts";
import { openContinuity } from "../../../src/core/continuity/place.ts";
import { publishHandover } from "../../../src/core/continuity/publish.ts";
import { verifyRecords } from "../../../src/core/continuity/verify.ts";
import { looseAmong } from "../../../src/core/git/loose-objects.ts";
import { FULL } from "../../support/full.ts";
import { git } from "../../support/repository.ts";
import { bodyOf, newTeam } from "./support/machines.ts";

const PUBLISHED = FULL ? 400 : 2;
const MADE = 510;

/** Writes as many loose objects as publishing for a long time does, in one process. */
function makeBlobs(root: string): string[] {
  const room = join(root, ".git", "room");
  mkdirSync(room);
  const paths = Array.from({ length: MADE }, (_, index) => join(room, String(index)));
  for (const path of paths) writeFileSync(path, `object ${path}\n`);
  const input = paths.map((path) => `${path}\n`).join("");
  return execFileSync("git", ["hash-object", "-w", "--stdin-paths"], { cwd: root, input })
    .toString()
    .trim()
    .split("\n");
}

it(
  "objects of ours are packed when there are many, and git's own clean-up harms nobody",
  { timeout: 600_000 },
  async () => {
    const machine = (await newTeam()).machine("a");
    const linked = join(machine.root, "..", "linked");
    machine.git("worktree", "add", "-q", "-b", "side", linked);
    writeFileSync(join(linked, "staged.txt"), "staged\n");
    git(linked, "add", "staged.txt");
    for (let index = 0; index < PUBLISHED; index += 1) {
      machine.clock.forward(1);
      await machine.handOver(bodyOf(`Number ${index}`));
      await publishHandover(await machine.checkout(), {});
    }
    const place = openContinuity(await machine.checkout());
    const ids = makeBlobs(machine.root);
    noteObjects(place, ids);
    expect(looseAmong(place.checkout.repository, ids)).toEqual([]);
    // What was noted before went with them, and what the user made did not.
    expect(readFileSync(join(place.checkout.common.root, "continuity/objects"), "utf8")).toBe("");
    expect(looseAmong(place.checkout.repository, [git(linked, "rev-parse", ":staged.txt")])).toHaveLength(1);
    machine.git("gc", "--auto", "-q");
    machine.git("gc", "--prune=now", "-q");
    for (const root of [machine.root, linked]) git(root, "fsck", "--strict", "--no-dangling");
    expect(git(linked, "diff", "--cached", "--name-only")).toBe("staged.txt");
    expect(git(linked, "cat-file", "blob", ":staged.txt")).toBe("staged");
    expect(verifyRecords(await machine.checkout(), {})).toMatchObject({ holds: true, records: PUBLISHED });
  },
);
