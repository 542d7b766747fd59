import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { balanceOf, episodesOf } from "./support/episodes.ts";
import { claude } from "./support/hooks.ts";
import { answerOf, command, git, makeMachine, makePlace, readLine } from "./support/place.ts";
import type { Place } from "./support/place.ts";
import { snapshot } from "./support/snapshot.ts";
import { countEvents, readAll } from "./support/stores.ts";

const ORIGINAL = join(import.meta.dirname, "../fixtures/original");

/** A repository as the original tool left it. */
function makeOriginal(): Place {
  const machine = makeMachine();
  const root = join(machine.directory, "app");
  mkdirSync(root);
  git(root, "init", "-q", "-b", "main");
  cpSync(ORIGINAL, join(root, ".ai"), { recursive: true });
  symlinkSync("sessions-open/cc-1.yaml", join(root, ".ai/local/state/session-current.yaml"));
  writeFileSync(join(root, ".gitignore"), ".ai/local/\n");
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "As it was");
  return { ...machine, root };
}

test("a repository of the original tool is read whole by every reading command, and no byte of it changes", async () => {
  const place = makeOriginal();
  const before = snapshot(join(place.root, ".ai"));
  const runs = [
    ["status"],
    ["status", "--short"],
    ["session", "status"],
    ["session", "list"],
    ["session", "list", "--all"],
    ["session", "latest"],
    ["session", "show", "s-20260904153733-fc51"],
    ["lifecycle", "episodes"],
    ["lifecycle", "recovery"],
    ["lifecycle", "runtime"],
    ["lifecycle", "providers"],
    ["lifecycle", "closed"],
    ["history"],
    ["history", "--validate"],
    ["recover"],
    ["recover", "all", "--check"],
  ];
  for (const arguments_ of runs) {
    const run = await readLine(place, arguments_);
    expect([0, 10], `${arguments_.join(" ")}: ${run.stdout}${run.stderr}`).toContain(run.status);
    expect(run.stderr, arguments_.join(" ")).not.toMatch(/unexpected/);
  }
  expect(snapshot(join(place.root, ".ai"))).toEqual(before);

  const episodes = await episodesOf(place);
  expect(Object.fromEntries(episodes.map(({ session_id, standing }) => [session_id, standing]))).toEqual({
    "s-20260907070000-1212": "stranded",
    "s-20260907070000-9d9d": "stranded",
  });
  const closed = await answerOf<{ total: number }>(place, ["lifecycle", "closed"]);
  expect(closed.total).toBe(3);
  const lines = readFileSync(join(ORIGINAL, "local/state/ledger.jsonl"), "utf8").trimEnd().split("\n");
  const history = await answerOf<{ total: number; malformed: number }>(place, ["history"]);
  expect(history).toMatchObject({ total: lines.length, malformed: 0 });
  const plan = await command(place, ["recover", "all", "--check"]);
  expect(plan.status).toBe(10);
  expect(plan.stdout).toContain("s-20260907070000-9d9d");
  expect(plan.stdout).toContain("its ledger: the episode was opened without a shadow journal");
  expect(await balanceOf(place)).toMatchObject({ unaccounted: 0, open: 2 });
  expect(snapshot(join(place.root, ".ai"))).toEqual(before);
});

test("episodes that the original left in a lost worktree are recovered once, and say that their ledger is gone", async () => {
  const place = makeOriginal();
  const run = await command(place, ["recover", "episodes"]);
  expect(run.stdout).toContain("recovered: 2 action(s)");
  const found = readAll(place.root);
  const lost = ["s-20260907070000-1212", "s-20260907070000-9d9d"];
  const mine = found.records.filter(({ fields }) => lost.includes(fields["session_id"] ?? ""));
  expect(mine).toHaveLength(2);
  for (const { text } of mine) expect(text).toContain("This episode was closed by recovery.");
  for (const { text } of mine) expect(text).toContain("opened without a shadow journal");
  expect(found.pointer).toBeUndefined();
  expect((await command(place, ["recover", "episodes"])).stdout).toContain("nothing to recover");
  expect(await balanceOf(place)).toMatchObject({ unaccounted: 0, open: 0 });
});

/** What the original tool writes when a session of Claude Code starts under it. */
function openByOriginal(place: Place, rawId: string): string {
  const id = "s-20260907070000-9d9d";
  const head = git(place.root, "rev-parse", "HEAD");
  const state = join(place.root, ".ai/local/state");
  const file = [
    `session_id: ${id}`,
    "started_at: 2026-09-07T07:00:00Z",
    'owner: "dev"',
    'provider: "claude-code"',
    `provider_session: "${rawId}"`,
    "# computed from git; never authored",
    `repository_id: ${place.root}/.git`,
    `worktree: ${place.root}`,
    "branch: main",
    `start_head: ${head}`,
    "start_working_tree: clean",
    "",
  ].join("\n");
  mkdirSync(join(state, "sessions-open"), { recursive: true });
  writeFileSync(join(state, "sessions-open", `${rawId}.yaml`), file);
  symlinkSync(`sessions-open/${rawId}.yaml`, join(state, "session-current.yaml"));
  writeFileSync(
    join(state, "ledger.jsonl"),
    `{"ts":"2026-09-07T07:00:00Z","event":"session.started","head":"${head}","branch":"main","by":"majordomus/0.9.0","session":"${id}","owner":"dev"}\n`,
  );
  return id;
}

test("an episode that the original opened is adopted by its session's next event, and closed by its end", async () => {
  const place = await makePlace();
  const id = openByOriginal(place, "cc-1");
  const path = join(place.root, ".ai/local/state/sessions-open/cc-1.yaml");
  const bytes = readFileSync(path);
  const start = await claude(place, "SessionStart.resume", "cc-1");
  expect(start.stdout).toContain(`Episode ${id}`);
  expect(readFileSync(path)).toEqual(bytes);
  const adopted = readAll(place.root);
  expect(adopted.registrations).toMatchObject([
    { session_id: id, raw_id: "cc-1", started_at: "2026-09-07T07:00:00Z" },
  ]);
  expect(countEvents(adopted.ledger)["session.started"]).toBe(1);
  await claude(place, "SessionEnd.logout", "cc-1");
  const found = readAll(place.root);
  expect(found.records).toMatchObject([{ fields: { session_id: id, outcome: "closed" } }]);
  expect(found.open.size).toBe(0);
  expect(await balanceOf(place)).toMatchObject({ started: 1, closed: 1, unaccounted: 0 });
});

test("an end alone closes the episode that the original opened for its session", async () => {
  const place = await makePlace();
  const id = openByOriginal(place, "cc-1");
  await claude(place, "SessionEnd.other", "somebody-else");
  expect(readAll(place.root).open.size).toBe(1);
  await claude(place, "SessionEnd.logout", "cc-1");
  const found = readAll(place.root);
  expect(found.records).toMatchObject([{ fields: { session_id: id, outcome: "closed" } }]);
  expect([found.open.size, found.pointer, found.registrations]).toEqual([0, undefined, []]);
  expect(await balanceOf(place)).toMatchObject({ started: 1, closed: 1, unaccounted: 0 });
});

test("an episode that the original closed behind our back is not opened again", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "both");
  const [both] = await episodesOf(place);
  // The original's close: its record and its line stand, its open file and the pointer are gone.
  const { rmSync, appendFileSync } = await import("node:fs");
  const state = join(place.root, ".ai/local/state");
  const record = readFileSync(
    join(
      ORIGINAL,
      "repo/sessions/20260905T220000Z--s-20260905080000-0b0b--main--a358be6--0123456789abcdef.md",
    ),
    "utf8",
  );
  writeFileSync(
    join(
      place.root,
      `.ai/repo/sessions/20260905T220000Z--${both?.session_id}--main--a358be6--0123456789abcdef.md`,
    ),
    record.replaceAll("s-20260905080000-0b0b", both?.session_id ?? ""),
  );
  appendFileSync(
    join(state, "ledger.jsonl"),
    `{"ts":"2026-09-07T08:00:00Z","event":"session.closed","head":"NONE","branch":"main","by":"majordomus/0.9.0","session":"${both?.session_id}","outcome":"closed","session_path":"x"}\n`,
  );
  rmSync(join(state, "sessions-open/both.yaml"));
  rmSync(join(state, "session-current.yaml"));
  expect(await episodesOf(place)).toEqual([]);
  await claude(place, "SessionEnd.logout", "both");
  expect(readAll(place.root).records).toHaveLength(1);
  await claude(place, "UserPromptSubmit", "both");
  const found = readAll(place.root);
  expect(found.open.get("both")?.["session_id"]).not.toBe(both?.session_id);
  expect(found.registrations).toMatchObject([{ continues: { session_id: both?.session_id } }]);
  expect(await balanceOf(place)).toMatchObject({ started: 2, closed: 1, open: 1, unaccounted: 0 });
});
