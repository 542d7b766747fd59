import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { balanceOf, episodesOf, planOf, recover, startStandIn } from "./support/episodes.ts";
import { claude } from "./support/hooks.ts";
import { addWorktree, commitFile, git, makePlace } from "./support/place.ts";
import {
  countEvents,
  outcomeOf,
  outcomesOf,
  readAll,
  readCommon,
  readStores,
  resultOf,
} from "./support/stores.ts";

test("a worker killed by SIGKILL is gone; recovery closes its episode once and a second does nothing", async () => {
  const place = await makePlace();
  const worker = startStandIn();
  await claude(place, "SessionStart", "killed", { pid: worker.pid });
  await claude(place, "UserPromptSubmit", "killed", { pid: worker.pid });
  expect(await episodesOf(place)).toMatchObject([{ worker_state: "alive", standing: "current" }]);
  expect((await planOf(place)).actions).toEqual([]);

  await worker.kill();
  expect(await episodesOf(place)).toMatchObject([{ worker_state: "gone", recoverable: "worker_gone" }]);
  // Time closes nothing, and neither does another session's start: an act of a person does.
  await claude(place, "SessionStart", "next");
  expect(readAll(place.root).records).toEqual([]);
  const plan = await planOf(place);
  expect(plan.actions).toMatchObject([{ kind: "episode", reason: "worker gone" }]);
  expect(plan.actions[0]?.evidence.join("\n")).toContain(`pid ${worker.pid} ended`);
  expect(readAll(place.root).records).toEqual([]);

  const applied = await recover(place);
  expect(applied).toMatchObject({ state: "applied", failed: [], performed: [{ id: plan.actions[0]?.id }] });
  const found = readAll(place.root);
  expect(found.records).toHaveLength(1);
  expect(found.records[0]?.fields).toMatchObject({
    outcome: "interrupted",
    session_id: plan.actions[0]?.session_id,
  });
  expect(found.records[0]?.text).toContain("last sign of life");
  expect([...found.open.keys()]).toEqual(["next"]);
  expect(countEvents(found.ledger)).toMatchObject({ "session.recovered": 1 });
  const bytes = readFileSync(join(place.root, ".ai/repo/sessions", found.records[0]?.name ?? ""));

  expect(await recover(place)).toMatchObject({ state: "nothing", performed: [], failed: [] });
  const again = readAll(place.root);
  expect(again.records).toHaveLength(1);
  expect(readFileSync(join(place.root, ".ai/repo/sessions", again.records[0]?.name ?? ""))).toEqual(bytes);
  expect(countEvents(again.ledger)).toMatchObject({ "session.recovered": 1 });
  expect(await balanceOf(place)).toMatchObject({
    started: 2,
    recovered: 1,
    open: 1,
    closed: 0,
    unaccounted: 0,
  });
});

test("a late end of a session that was recovered changes nothing but a receipt", async () => {
  const place = await makePlace();
  const worker = startStandIn();
  await claude(place, "SessionStart", "late", { pid: worker.pid });
  await worker.kill();
  await recover(place);
  const before = readAll(place.root);
  await claude(place, "SessionEnd.other", "late");
  const after = readAll(place.root);
  expect(after.records).toEqual(before.records);
  expect(after.ledger).toEqual(before.ledger);
  expect(after.receipts.length).toBe(before.receipts.length + 2);
  expect(resultOf(outcomeOf(after.receipts, "late", "SessionEnd"), "seal")).toBe("skipped");
});

test("a worktree removed by force under an open episode is recovered into one record that names its events", async () => {
  const place = await makePlace();
  const path = addWorktree(place, "lane-b");
  const start = git(path, "rev-parse", "HEAD");
  await claude(place, "SessionStart", "lane", { root: path });
  const [lane] = await episodesOf(place, { directory: path });
  const commit = commitFile(path, "src/upload.ts", "export const tries = 3;\n");
  writeFileSync(join(path, "unsaved.txt"), "never committed\n");
  await claude(place, "PreCompact.auto", "lane", { root: path });
  const events = readStores(path).ledger.filter((line) => line.session === lane?.session_id);
  expect(countEvents(events)).toEqual({ "session.started": 1, "provider.event.received": 2 });

  git(place.root, "worktree", "remove", "--force", path);
  expect(existsSync(path)).toBe(false);
  expect(await episodesOf(place)).toMatchObject([
    {
      session_id: lane?.session_id,
      standing: "stranded",
      here: false,
      recoverable: "worktree_gone",
      events: events.length,
    },
  ]);
  const plan = await planOf(place);
  expect(plan.actions).toHaveLength(1);
  expect(plan.actions[0]).toMatchObject({ session_id: lane?.session_id, reason: "worktree gone" });
  const kept = plan.actions[0]?.kept?.join("\n") ?? "";
  expect(kept).toContain(`${events.length} ledger event(s): session.started 1`);
  expect(kept).toContain("provider.event.received 2");
  expect(plan.actions[0]?.kept?.join("\n")).toContain("1 commit(s) on lane-b");
  expect(plan.actions[0]?.lost?.join("\n")).toContain(`uncommitted and untracked files of ${path}`);

  await recover(place);
  const found = readAll(place.root);
  expect(found.records).toHaveLength(1);
  const record = found.records[0];
  expect(record?.fields).toMatchObject({
    session_id: lane?.session_id,
    outcome: "interrupted",
    branch: "lane-b",
    start_head: start,
  });
  expect(record?.fields["head"]).toBeUndefined();
  expect(record?.fields["working_tree"]).toBeUndefined();
  expect(record?.lists["commits"]).toEqual([commit.slice(0, 7)]);
  expect(record?.text).toContain(`${events.length} ledger event(s)`);
  expect(record?.text).toContain("Lost");
  // What only the lost worktree knew is not claimed to be absent: no value of the front matter is a path of it.
  expect(record?.text.split("\n---\n")[0]).not.toContain(path);
  expect(found.registrations).toEqual([]);
  expect(found.shadows).toEqual([]);
  expect(found.shadowsAway).toEqual([lane?.session_id]);

  expect(await recover(place)).toMatchObject({ state: "nothing" });
  expect(readAll(place.root).records).toEqual(found.records);
  expect(await balanceOf(place)).toMatchObject({
    started: 1,
    recovered: 1,
    open: 0,
    unaccounted: 0,
    agrees: true,
  });
  // Nothing of the user's git was touched, and nothing rose again at the lost path.
  expect(existsSync(path)).toBe(false);
  expect(git(place.root, "rev-parse", "lane-b")).toBe(commit);
});

test("an end that comes after its worktree is gone is remembered, and recovery seals the episode", async () => {
  const place = await makePlace();
  const path = addWorktree(place, "lane-c");
  await claude(place, "SessionStart", "lane", { root: path });
  git(place.root, "worktree", "remove", "--force", path);
  const run = await claude(place, "SessionEnd.other", "lane", { root: path, directory: place.directory });
  expect(run).toMatchObject({ status: 0, stdout: "", stderr: "" });
  const { registrations, receipts } = readCommon(join(place.root, ".git"));
  expect(registrations).toMatchObject([{ ended: expect.any(String), end_reason: "other" }]);
  expect(resultOf(outcomeOf(receipts, "lane", "SessionEnd"), "mark_ended")).toBe("done");
  expect(existsSync(path)).toBe(false);
  await recover(place);
  expect(readAll(place.root).records).toHaveLength(1);
  expect(await balanceOf(place)).toMatchObject({ started: 1, recovered: 1, unaccounted: 0 });
});

test("an end that could not seal is remembered, and recovery takes it without waiting for silence", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "unsealed");
  const sessions = join(place.root, ".ai/repo/sessions");
  renameSync(sessions, `${sessions}.away`);
  writeFileSync(sessions, "in the way\n");
  expect(await claude(place, "SessionEnd.logout", "unsealed")).toMatchObject({
    status: 0,
    stdout: "",
    stderr: "",
  });
  const { registrations, receipts, open } = readAll(place.root);
  expect(resultOf(outcomeOf(receipts, "unsealed", "SessionEnd"), "seal")).toBe("failed");
  expect(registrations).toMatchObject([{ ended: expect.any(String), end_reason: "logout" }]);
  expect([...open.keys()]).toEqual(["unsealed"]);
  rmSync(sessions);
  renameSync(`${sessions}.away`, sessions);
  expect((await planOf(place)).actions).toMatchObject([{ reason: "ended without a record" }]);
  await recover(place);
  expect(readAll(place.root).records).toMatchObject([{ fields: { outcome: "interrupted" } }]);
  expect(await balanceOf(place)).toMatchObject({ started: 1, recovered: 1, unaccounted: 0 });
});

test("a worktree made again at the same path is another worktree: the lost episode stays lost", async () => {
  const place = await makePlace();
  const path = addWorktree(place, "lane-d");
  await claude(place, "SessionStart", "first", { root: path });
  const [first] = await episodesOf(place, { directory: path });
  git(place.root, "worktree", "remove", "--force", path);
  git(place.root, "worktree", "add", "-q", path, "lane-d");

  expect(await episodesOf(place, { directory: path })).toMatchObject([
    { session_id: first?.session_id, standing: "stranded", here: false, recoverable: "worktree_gone" },
  ]);
  // The same provider session starts again there: a new episode that continues the lost one.
  const run = await claude(place, "SessionStart.resume", "first", { root: path });
  expect(run.stdout).toContain(`continues episode ${first?.session_id}`);
  const episodes = await episodesOf(place, { directory: path });
  expect(episodes).toHaveLength(2);
  const second = episodes.find((episode) => episode.here);
  expect(second).toMatchObject({ standing: "current", continues: first?.session_id });
  expect(second?.session_id).not.toBe(first?.session_id);
  await recover(place);
  expect(readAll(place.root).records.map(({ fields }) => fields["session_id"])).toEqual([first?.session_id]);
  expect([...readStores(path).open.keys()]).toEqual(["first"]);
  expect(await balanceOf(place)).toMatchObject({ started: 2, recovered: 1, open: 1, unaccounted: 0 });
});

test("an episode of an existing sibling worktree is recovered in that worktree's own store and ledger", async () => {
  const place = await makePlace();
  const path = addWorktree(place, "lane-e");
  const worker = startStandIn();
  await claude(place, "SessionStart", "sibling", { root: path, pid: worker.pid });
  await worker.kill();
  await recover(place);
  expect(readStores(place.root).records).toEqual([]);
  expect(readStores(place.root).ledger).toEqual([]);
  const sibling = readStores(path);
  expect(sibling.records).toHaveLength(1);
  expect(sibling.open.size).toBe(0);
  expect(countEvents(sibling.ledger)).toMatchObject({ "session.recovered": 1 });
  expect(await balanceOf(place)).toMatchObject({ started: 1, recovered: 1, unaccounted: 0 });
  expect(await balanceOf(place, { directory: path })).toMatchObject({
    started: 1,
    recovered: 1,
    unaccounted: 0,
  });
});

test("a silent session without a known process is taken only when it is older than asked for", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "silent", { environment: { MAJORDOMUS_NOW: "2026-01-01T10:00:00Z" } });
  const soon = { environment: { MAJORDOMUS_NOW: "2026-01-01T10:30:00Z" } };
  const { command } = await import("./support/place.ts");
  const early = await command(place, ["recover", "episodes", "--older-than", "1h"], soon);
  expect(early.status).toBe(0);
  expect(early.stdout).toContain("within the threshold");
  expect(readAll(place.root).records).toEqual([]);
  const late = await command(place, ["recover", "episodes", "--older-than", "15m"], soon);
  expect(late.stdout).toContain("recovered: 1 action(s)");
  expect(readAll(place.root).records).toHaveLength(1);
});

test("a half-published record is published as it stands instead of being composed again", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "half");
  const [half] = await episodesOf(place);
  const sessions = join(place.root, ".ai/repo/sessions");
  const text = [
    "---",
    "schema: session/v1",
    "kind: session",
    "created_at: 2026-01-01T10:00:00Z",
    "task_id: none",
    "branch: main",
    `session_id: ${half?.session_id}`,
    "started_at: 2026-01-01T09:00:00Z",
    "closed_at: 2026-01-01T10:00:00Z",
    "outcome: closed",
    "---",
    "",
    "# What Happened",
    "",
    "The words that the killed close had written.",
    "",
  ].join("\n");
  mkdirSync(sessions, { recursive: true });
  writeFileSync(join(sessions, ".tmp.a1b2c3"), text);
  const { utimesSync } = await import("node:fs");
  utimesSync(join(sessions, ".tmp.a1b2c3"), new Date(2020, 1), new Date(2020, 1));
  await recover(place);
  const found = readAll(place.root);
  expect(found.records).toHaveLength(1);
  expect(found.records[0]?.text).toContain("The words that the killed close had written.");
  expect(found.temporaries).toEqual([]);
  // The close that this record belongs to is finished by the next look.
  await recover(place);
  expect(readAll(place.root).open.size).toBe(0);
  expect(await balanceOf(place)).toMatchObject({ started: 1, open: 0, unaccounted: 0 });
});

test("a moved repository keeps its episode: events from the old and the new place reach the same one", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "mover");
  const [before] = await episodesOf(place);
  const moved = join(place.directory, "moved");
  renameSync(place.root, moved);
  const at = { root: moved, directory: moved };
  await claude(place, "UserPromptSubmit", "mover", at);
  // The provider may not have noticed: it still names the old directory.
  const stale = await claude(place, "Stop", "mover", { root: place.root, directory: place.directory });
  expect(stale).toMatchObject({ status: 0, stdout: "", stderr: "" });
  const resumed = await claude(place, "SessionStart.resume", "mover", at);
  expect(resumed.stdout).toContain(`Episode ${before?.session_id}`);
  expect(existsSync(place.root)).toBe(false);
  const found = readAll(moved);
  expect([...found.open.values()]).toMatchObject([{ session_id: before?.session_id, worktree: moved }]);
  expect(found.registrations).toHaveLength(1);
  await claude(place, "SessionEnd.logout", "mover", at);
  expect(readAll(moved).records).toHaveLength(1);
  expect(await balanceOf({ ...place, root: moved })).toMatchObject({ started: 1, closed: 1, unaccounted: 0 });
});

test("every event from a directory that was removed after the start still reaches its episode", async () => {
  const place = await makePlace();
  const below = join(place.root, "packages", "cli");
  mkdirSync(below, { recursive: true });
  await claude(place, "SessionStart", "below", { fields: { cwd: below } });
  rmSync(join(place.root, "packages"), { recursive: true });
  for (const sample of ["UserPromptSubmit", "Stop", "PreCompact.auto", "SessionEnd.other"]) {
    const run = await claude(place, sample, "below", { fields: { cwd: below } });
    expect(run).toMatchObject({ status: 0, stdout: "", stderr: "" });
  }
  const found = readAll(place.root);
  expect(found.records).toHaveLength(1);
  expect(found.receipts.filter(({ phase }) => phase === "received")).toHaveLength(5);
});

test("a plain directory where worktrees stand opens nothing in the parent's name and says what it is", async () => {
  const place = await makePlace();
  addWorktree(place, "real");
  const stray = join(place.root, ".claude", "worktrees", "stray");
  mkdirSync(join(place.root, ".claude", "worktrees"), { recursive: true });
  git(
    place.root,
    "worktree",
    "add",
    "-q",
    "-b",
    "listed",
    join(place.root, ".claude", "worktrees", "listed"),
  );
  mkdirSync(stray);
  await claude(place, "SessionStart", "parent");
  const [parent] = await episodesOf(place);
  const run = await claude(place, "SessionStart", "strayed", { fields: { cwd: stray }, directory: stray });
  expect(run).toMatchObject({ status: 0, stderr: "" });
  const found = readAll(place.root);
  const strayed = found.open.get("strayed");
  // Its events are never stamped with the parent's episode.
  const stamped = found.ledger
    .filter((line) => line["provider_session"] === "strayed")
    .map((line) => line.session);
  expect(stamped).not.toContain(parent?.session_id);
  expect(strayed?.["session_id"]).not.toBe(parent?.session_id);
  expect(`${run.stdout}${JSON.stringify(outcomesOf(found.receipts, "strayed"))}`).toMatch(
    /not a registered worktree/,
  );
});

test("bytes of a torn last line are kept aside and told, and the next event stands on a line of its own", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "torn");
  const ledger = join(place.root, ".ai/local/state/ledger.jsonl");
  const whole = readFileSync(ledger);
  appendFileSync(ledger, '{"ts":"2026-01-01T00:00:00Z","event":"task.sta');
  const check = await (await import("./support/place.ts")).command(place, ["history", "--validate"]);
  expect(check.status).toBe(10);
  expect(`${check.stdout}${check.stderr}`).toMatch(new RegExp(`torn.*${whole.length}|${whole.length}.*torn`));
  await claude(place, "SessionEnd.other", "torn");
  const found = readAll(place.root);
  expect(countEvents(found.ledger)).toEqual({
    "session.started": 1,
    "provider.event.received": 2,
    "session.closed": 1,
  });
  const { readdirSync } = await import("node:fs");
  const kept = readdirSync(join(place.root, ".ai/local/state")).filter((name) =>
    name.startsWith("ledger.torn."),
  );
  expect(kept).toHaveLength(1);
  expect(readFileSync(join(place.root, ".ai/local/state", kept[0] ?? ""), "utf8")).toBe(
    '{"ts":"2026-01-01T00:00:00Z","event":"task.sta',
  );
});
