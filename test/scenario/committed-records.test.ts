import { chmodSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { claude } from "./support/hooks.ts";
import { command, git, makePlace } from "./support/place.ts";
import type { Place } from "./support/place.ts";

const SESSIONS = ".ai/repo/sessions";

async function placeThatCommits(): Promise<Place> {
  const place = await makePlace();
  const policy = join(place.root, ".ai/repo/policy.yaml");
  const text = readFileSync(policy, "utf8");
  writeFileSync(policy, text.replace("commit_record_on_end: false", "commit_record_on_end: true"));
  git(place.root, "commit", "-q", "-a", "-m", "Commit records");
  return place;
}

/** How often each record was committed. */
function timesCommitted(place: Place): Record<string, number> {
  const paths = git(place.root, "log", "--format=", "--name-only", "--", SESSIONS)
    .split("\n")
    .filter((path) => path.includes("--s-"));
  return Object.fromEntries(paths.map((path) => [path, paths.filter((other) => other === path).length]));
}

function recordsOf(place: Place): string[] {
  const names = readdirSync(join(place.root, SESSIONS)).filter((name) => name.endsWith(".md"));
  return names.filter((name) => name.includes("--s-")).map((name) => `${SESSIONS}/${name}`);
}

async function uncommitted(place: Place): Promise<string[]> {
  const { stdout } = await command(place, ["doctor"]);
  return stdout.match(/\d+ closed record\(s\) are not committed/g) ?? [];
}

/** Ends further sessions until nothing is owed any more: on a busy machine one end may not have time for all. */
async function endUntil(place: Place, status: string): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    if (git(place.root, "status", "--short") === status) return;
    await claude(place, "SessionStart", `further-${round}`);
    await claude(place, "SessionEnd.logout", `further-${round}`);
  }
}

test("sessions of one worktree that end together: each record is committed once, and nothing stays staged", async () => {
  const place = await placeThatCommits();
  const { root } = place;
  writeFileSync(join(root, "staged.txt"), "s");
  git(root, "add", "staged.txt");
  const sessions = ["one", "two", "three", "four"];
  for (const session of sessions) await claude(place, "SessionStart", session);
  await Promise.all(sessions.map((session) => claude(place, "SessionEnd.logout", session)));
  await endUntil(place, "A  staged.txt");
  const records = recordsOf(place);
  expect(records.length).toBeGreaterThanOrEqual(sessions.length);
  expect(timesCommitted(place)).toEqual(Object.fromEntries(records.map((path) => [path, 1])));
  expect(git(root, "status", "--short")).toBe("A  staged.txt");
  expect(git(root, "fsck", "--strict", "--no-dangling")).toBe("");
});

test("killed between the index and the branch: doctor tells of it, and the next end commits the record", async () => {
  const place = await placeThatCommits();
  const { root } = place;
  const bin = join(place.directory, "bin");
  mkdirSync(bin);
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const killing = `#!/bin/sh\ncase " $* " in *" update-ref "*) kill -9 $PPID; exit 1;; esac\nexec '${real}' "$@"\n`;
  writeFileSync(join(bin, "git"), killing);
  chmodSync(join(bin, "git"), 0o755);
  await claude(place, "SessionStart", "one");
  const environment = { PATH: `${bin}:${place.environment["PATH"]}` };
  const run = await claude(place, "SessionEnd.logout", "one", { environment });
  expect(run.signal).toBe("SIGKILL");
  const [record = ""] = recordsOf(place);
  expect(git(root, "status", "--short")).toBe(`A  ${record}`);
  expect(await uncommitted(place)).toEqual(["1 closed record(s) are not committed"]);
  await endUntil(place, "");
  expect(git(root, "status", "--short")).toBe("");
  expect(timesCommitted(place)).toEqual(Object.fromEntries(recordsOf(place).map((path) => [path, 1])));
  expect(await uncommitted(place)).toEqual([]);
});
