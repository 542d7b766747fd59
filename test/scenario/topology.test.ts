import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runProgram } from "../support/binary.ts";
import { balanceOf, episodesOf } from "./support/episodes.ts";
import { claude } from "./support/hooks.ts";
import { addWorktree, command, commitFile, git, makeMachine, makePlace, readLine } from "./support/place.ts";
import type { Place } from "./support/place.ts";
import { countEvents, readAll, readCommon, readStores } from "./support/stores.ts";

const READING_COMMANDS = [
  ["status"],
  ["session", "status"],
  ["session", "list"],
  ["session", "latest"],
  ["lifecycle", "episodes"],
  ["lifecycle", "recovery"],
  ["lifecycle", "closed"],
  ["history"],
  ["recover", "status"],
];

/** Every reading command answers in this work tree, without a complaint that nobody foresaw. */
async function expectAnswers(place: Place, directory: string): Promise<void> {
  for (const arguments_ of READING_COMMANDS) {
    const run = await readLine(place, arguments_, directory);
    expect(run.stderr, arguments_.join(" ")).not.toMatch(/unexpected|at .*\.mjs/);
    expect([0, 10], `${arguments_.join(" ")}: ${run.stdout}${run.stderr}`).toContain(run.status);
  }
}

/** One whole session in a work tree. */
async function live(place: Place, session: string, root: string, directory = root): Promise<string> {
  const start = await claude(place, "SessionStart", session, { fields: { cwd: directory }, root, directory });
  expect(start).toMatchObject({ status: 0, stderr: "" });
  await claude(place, "UserPromptSubmit", session, { fields: { cwd: directory }, root, directory });
  const end = await claude(place, "SessionEnd.logout", session, {
    fields: { cwd: directory },
    root,
    directory,
  });
  expect(end).toMatchObject({ status: 0, stdout: "", stderr: "" });
  return start.stdout;
}

test("a session in a repository without commits opens, is listed, and closes", async () => {
  const machine = makeMachine();
  const root = join(machine.directory, "fresh");
  mkdirSync(root);
  git(root, "init", "-q", "-b", "main");
  const place = { ...machine, root };
  expect((await command(place, ["init"])).status).toBe(0);
  expect(await live(place, "fresh", root)).toContain("on main at NONE");
  await expectAnswers(place, root);
  const { records } = readAll(root);
  expect(records).toHaveLength(1);
  expect(records[0]?.fields).toMatchObject({ head: "NONE", start_head: "NONE", outcome: "closed" });
  expect(records[0]?.lists["commits"]).toBeUndefined();
  expect(await balanceOf(place)).toMatchObject({ started: 1, closed: 1, unaccounted: 0 });
});

test("a session on a detached HEAD is recorded as detached and nowhere else", async () => {
  const place = await makePlace();
  git(place.root, "checkout", "-q", "--detach");
  expect(await live(place, "detached", place.root)).toContain("on DETACHED at");
  await expectAnswers(place, place.root);
  expect(readAll(place.root).records[0]?.fields).toMatchObject({ branch: "DETACHED", outcome: "closed" });
});

test("an episode is told where its moved worktree lies now, and what its own journal never saw", async () => {
  const place = await makePlace();
  const old = addWorktree(place, "lane");
  const at = (sample: string) =>
    claude(place, sample, "mover", { root: old, fields: { cwd: old }, pid: process.pid });
  for (const sample of ["SessionStart", "UserPromptSubmit", "UserPromptSubmit"]) await at(sample);
  const moved = `${old}-moved`;
  git(place.root, "worktree", "move", old, moved);
  const expected = { standing: "current", worktree: moved, unseen: ["the end of 1 turn(s)"] };
  expect(await episodesOf(place)).toMatchObject([{ ...expected, here: false }]);
  expect(await episodesOf(place, { directory: moved })).toMatchObject([{ ...expected, here: true }]);
});

test("a bare repository with worktrees has one store of ours and an episode for each worktree", async () => {
  const source = await makePlace();
  const bare = join(source.directory, "project", ".bare");
  git(source.directory, "clone", "-q", "--bare", source.root, bare);
  const [one, two] = ["one", "two"].map((name) => join(source.directory, "project", name));
  git(bare, "worktree", "add", "-q", "-b", "one", one ?? "");
  git(bare, "worktree", "add", "-q", "-b", "two", two ?? "");
  const place = { ...source, root: one ?? "" };
  for (const root of [one ?? "", two ?? ""]) {
    await claude(place, "SessionStart", `in-${root.slice(-3)}`, { root });
  }
  const common = readCommon(bare);
  expect(common.registrations.map(({ worktree }) => worktree).toSorted()).toEqual([one, two]);
  expect([...readStores(one ?? "").open.keys()]).toEqual(["in-one"]);
  expect([...readStores(two ?? "").open.keys()]).toEqual(["in-two"]);
  expect(await episodesOf(place)).toHaveLength(2);
  await expectAnswers(place, two ?? "");
  expect(await balanceOf(place)).toMatchObject({ started: 2, open: 2, unaccounted: 0 });
  // The bare directory itself has no work tree: a command says so, a hook does nothing at all.
  const inBare = await command(place, ["status"], { directory: bare });
  expect(inBare).toMatchObject({ status: 2, stdout: "" });
  expect(inBare.stderr).toMatch(/bare repository/);
  const hook = await claude(place, "SessionStart", "nowhere", { root: bare });
  expect(hook).toMatchObject({ status: 0, stdout: "", stderr: "" });
  expect(readCommon(bare).registrations).toHaveLength(2);
});

test("a submodule has its own layer and store; nothing is written to the superproject", async () => {
  const inner = await makePlace();
  const outer = join(inner.directory, "outer");
  mkdirSync(outer);
  git(outer, "init", "-q", "-b", "main");
  git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.root, "vendor/app");
  git(outer, "commit", "-q", "-m", "Take the module");
  const module_ = join(outer, "vendor/app");
  const place = { ...inner, root: module_ };
  await live(place, "module", module_);
  await expectAnswers(place, module_);
  expect(readCommon(join(outer, ".git/modules/vendor/app")).ended).toHaveLength(1);
  expect(readStores(module_).records).toHaveLength(1);
  expect(readCommon(join(outer, ".git"))).toMatchObject({ receipts: [], registrations: [], ended: [] });
  // The superproject has no layer: an event of it is nobody's.
  const hook = await claude(place, "SessionStart", "outer", { root: outer });
  expect(hook).toMatchObject({ status: 0, stdout: "", stderr: "" });
  expect(readCommon(join(outer, ".git")).receipts).toEqual([]);
});

test("one work tree entered by its path, a link, a subdirectory and with dots is one identity and one episode", async () => {
  const place = await makePlace();
  mkdirSync(join(place.root, "packages/cli"), { recursive: true });
  const link = join(place.directory, "link");
  symlinkSync(place.root, link);
  const spellings = [
    place.root,
    link,
    `${place.root}/`,
    join(place.root, "packages/cli"),
    join(link, "packages/cli"),
    `${place.root}/packages/../packages/./cli`,
  ];
  for (const cwd of spellings) {
    const run = await claude(place, "SessionStart", "spelt", { fields: { cwd }, directory: cwd });
    expect(run).toMatchObject({ status: 0, stderr: "" });
    expect(run.stdout).not.toMatch(/moved|refused|No episode/);
  }
  const found = readAll(place.root);
  expect([...found.open.values()]).toMatchObject([{ worktree: place.root }]);
  expect(found.registrations).toHaveLength(1);
  expect(countEvents(found.ledger)).toEqual({ "session.started": 1, "provider.event.received": 6 });
  expect(await episodesOf(place, { directory: join(link, "packages") })).toMatchObject([
    { standing: "current" },
  ]);
});

test("a linked worktree inside the checkout finds the same policy and has an episode of its own", async () => {
  const place = await makePlace();
  mkdirSync(join(place.root, ".claude/worktrees"), { recursive: true });
  const inside = join(place.root, ".claude/worktrees/lane-b");
  git(place.root, "worktree", "add", "-q", "-b", "lane-b", inside);
  mkdirSync(join(inside, "packages/cli"), { recursive: true });
  await claude(place, "SessionStart", "main");
  await claude(place, "SessionStart", "lane", {
    root: inside,
    fields: { cwd: join(inside, "packages/cli") },
  });
  expect([...readStores(place.root).open.keys()]).toEqual(["main"]);
  expect([...readStores(inside).open.keys()]).toEqual(["lane"]);
  const status = await command(place, ["status"], { directory: join(inside, "packages/cli") });
  expect(status.stdout).toContain(`Repository: ${inside}`);
  expect(status.stdout).not.toMatch(/not set up|no \.ai/);
  expect(await balanceOf(place)).toMatchObject({ started: 2, open: 2, unaccounted: 0 });
});

test("a repository nested in another keeps its events to itself", async () => {
  const place = await makePlace();
  const nested = join(place.root, "third-party/lib");
  mkdirSync(nested, { recursive: true });
  git(nested, "init", "-q", "-b", "main");
  await claude(place, "SessionStart", "outer");
  const run = await claude(place, "SessionStart", "nested", { root: nested });
  expect(run).toMatchObject({ status: 0, stdout: "", stderr: "" });
  expect([...readAll(place.root).open.keys()]).toEqual(["outer"]);
  expect((await command(place, ["init"], { directory: nested })).status).toBe(0);
  await claude(place, "SessionStart", "nested", { root: nested });
  expect([...readAll(nested).open.keys()]).toEqual(["nested"]);
  expect([...readAll(place.root).open.keys()]).toEqual(["outer"]);
});

test("variables that a git hook exports lead no event and no command to another repository", async () => {
  const place = await makePlace();
  const other = join(place.directory, "other");
  mkdirSync(other);
  git(other, "init", "-q", "-b", "main");
  const environment = {
    GIT_DIR: join(other, ".git"),
    GIT_WORK_TREE: other,
    GIT_INDEX_FILE: join(other, ".git/index"),
  };
  await claude(place, "SessionStart", "exported", { environment });
  await claude(place, "SessionEnd.other", "exported", { environment });
  const found = readAll(place.root);
  expect(found.records).toHaveLength(1);
  expect(found.records[0]?.fields).toMatchObject({
    branch: "main",
    head: git(place.root, "rev-parse", "HEAD"),
  });
  expect(readCommon(join(other, ".git")).receipts).toEqual([]);
  const status = await command(place, ["status"], { environment });
  expect(status.stdout).toContain(`Repository: ${place.root}`);
});

test("in a shallow clone an episode's label is unknown where the history was cut, and commands say why", async () => {
  const source = await makePlace();
  const first = git(source.root, "rev-parse", "HEAD");
  commitFile(source.root, "a.txt", "a\n");
  commitFile(source.root, "b.txt", "b\n");
  const root = join(source.directory, "shallow");
  git(source.directory, "clone", "-q", "--depth", "1", `file://${source.root}`, root);
  const place = { ...source, root };
  await live(place, "shallow", root);
  await expectAnswers(place, root);
  const { records } = readAll(root);
  expect(records[0]?.fields).toMatchObject({ outcome: "closed", head: git(root, "rev-parse", "HEAD") });
  // A record at a commit that the clone does not have.
  const name = records[0]?.name ?? "";
  const path = join(root, ".ai/repo/sessions", name);
  const { readFileSync, writeFileSync } = await import("node:fs");
  const head = git(root, "rev-parse", "HEAD");
  writeFileSync(path, readFileSync(path, "utf8").replaceAll(head, first));
  const list = await command(place, ["session", "list", "--json"]);
  const answer = JSON.parse(list.stdout) as { sessions: { label: string }[] };
  expect(answer.sessions).toMatchObject([{ label: "unknown" }]);
});

test("sessions of two worktrees at once have separate stores, and each ledger holds its own lines alone", async () => {
  const place = await makePlace();
  const lane = addWorktree(place, "lane");
  await Promise.all([live(place, "in-main", place.root), live(place, "in-lane", lane)]);
  const [main, other] = [readStores(place.root), readStores(lane)];
  expect(main.records.map(({ fields }) => fields["branch"])).toEqual(["main"]);
  expect(other.records.map(({ fields }) => fields["branch"])).toEqual(["lane"]);
  const ids = (lines: readonly { session?: string }[]): Set<unknown> =>
    new Set(lines.map((line) => line.session));
  expect(ids(main.ledger).size).toBe(1);
  expect(ids(other.ledger).size).toBe(1);
  expect([...ids(main.ledger)]).not.toEqual([...ids(other.ledger)]);
  for (const directory of [place.root, lane]) {
    expect(await balanceOf(place, { directory })).toMatchObject({ started: 2, closed: 2, unaccounted: 0 });
  }
});

test("outside any repository a hook is silent and leaves nothing, and a command says so and exits 2", async () => {
  const machine = makeMachine();
  const place = { ...machine, root: join(machine.directory, "plain") };
  mkdirSync(place.root);
  const hook = await claude(place, "SessionStart", "nowhere");
  expect(hook).toMatchObject({ status: 0, stdout: "", stderr: "" });
  const run = await runProgram(["session", "status"], {
    directory: place.root,
    environment: place.environment,
  });
  expect(run).toMatchObject({ status: 2, stdout: "" });
  expect(run.stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(run.stderr).toContain("is not inside a git repository");
  const { readdirSync } = await import("node:fs");
  expect(readdirSync(place.root)).toEqual([]);
  expect(readdirSync(join(place.directory, "home"))).toEqual([]);
});

test("in a repository without a layer a hook is silent and leaves nothing, and a command names the manifest", async () => {
  const machine = makeMachine();
  const root = join(machine.directory, "bare-of-layer");
  mkdirSync(root);
  git(root, "init", "-q", "-b", "main");
  const place = { ...machine, root };
  expect(await claude(place, "SessionStart", "x")).toMatchObject({ status: 0, stdout: "", stderr: "" });
  const run = await command(place, ["status"]);
  expect(run).toMatchObject({ status: 12, stdout: "" });
  expect(run.stderr).toMatch(/manifest\.yaml.*majordomus init/);
  expect(readCommon(join(root, ".git"))).toMatchObject({ receipts: [], registrations: [] });
});
