import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { FULL } from "../support/full.ts";
import { runLine } from "../support/run-program.ts";
import { planOf, recover } from "./support/episodes.ts";
import { claude } from "./support/hooks.ts";
import { addWorktree, commitFile, git, makePlace } from "./support/place.ts";
import type { Place } from "./support/place.ts";
import { readAll } from "./support/stores.ts";
import { continuity, handOver, makeTeam, recordsAt } from "./support/team.ts";

/** Every directory of ours in a work tree and its git directory, deepest last. */
function ownDirectories(machine: Place): string[] {
  return [".git/majordomus", ".ai/local"].flatMap((top) => {
    const below = readdirSync(join(machine.root, top), { recursive: true, withFileTypes: true });
    const names = below
      .filter((entry) => entry.isDirectory())
      .map((entry) => relative(machine.root, join(entry.parentPath, entry.name)));
    return [top, ...names.toSorted()];
  });
}

test("any directory of ours deleted by hand between two syncs is no matter for the next one, nor for git's worktrees", async () => {
  const { machines, remote } = await makeTeam(["macbook", "mini"]);
  const [macbook, mini] = machines as [Place, Place];
  const lane = join(macbook.directory, "lane");
  git(macbook.root, "worktree", "add", "-q", "-b", "lane", lane);
  await handOver(macbook, "Move the parser to streaming reads");
  for (const [machine, word] of [
    [macbook, "publish"],
    [macbook, "sync"],
    [mini, "sync"],
    [macbook, "sync"],
  ] as const) {
    expect((await continuity(machine, [word])).run).toMatchObject({ status: 0 });
  }
  const published = recordsAt(remote);
  expect(published).toHaveLength(1);
  const worktrees = git(macbook.root, "worktree", "list", "--porcelain");
  const directories = ownDirectories(macbook);
  expect(directories.length).toBeGreaterThan(6);
  for (const [index, directory] of directories.entries()) {
    if (!FULL && index % 3 !== 0 && index > 0) continue;
    rmSync(join(macbook.root, directory), { recursive: true, force: true });
    const { run } = await continuity(macbook, ["sync"]);
    expect(run, `${directory}: ${run.stdout}${run.stderr}`).toMatchObject({ status: 0, stderr: "" });
    expect(recordsAt(remote), directory).toEqual(published);
    expect(recordsAt(macbook.root), directory).toEqual(published);
    expect(git(macbook.root, "worktree", "list", "--porcelain"), directory).toBe(worktrees);
  }
});

/** What a later version, or somebody else, may have left where we write. */
const FOREIGN: Readonly<Record<string, string>> = {
  ".ai/repo/sessions/2030-01-01T00-00-00Z--main--0000000.md":
    "---\nschema: session/v9\nnew_key: [1, 2]\n---\n",
  ".ai/repo/forecasts/one.md": "---\nschema: forecast/v1\n---\nRain.\n",
  ".ai/repo/knowledge/later.yaml": "schema: knowledge/v7\nshape: {unheard: of}\n",
  ".ai/local/state/forecast.json": '{"schema":"forecast/v3","kept":true}\n',
  ".ai/local/handovers/later.md": "---\nschema: handover/v8\nunknown: yes\n---\nBody.\n",
  ".ai/local/checkpoints/later.md": "---\nschema: checkpoint/v8\nunknown: yes\n---\nBody.\n",
  ".git/majordomus/forecasts/one.json": '{"schema":"majordomus-forecast/v1"}\n',
};

const STRANGE_LINES = [
  '{"ts":"2026-01-01T00:00:00Z","event":"forecast.made","head":"none","branch":"main","by":"other","rain":true}',
  '{"ts":"2026-01-01T00:00:01Z","event":"session.started","schema":9,"unknown":{"deep":[1]},"by":"other"}',
];

/** Everything that writes at a terminal, in an order that lets each do its work. */
const WRITING: readonly { words: readonly string[]; stdin?: string }[] = [
  { words: ["start", "Move the parser", "--scope", "src/"] },
  { words: ["decision", "add", "Streams", "--reason", "Memory", "--rejected", "Buffers"] },
  { words: ["question", "add", "Which release?"] },
  { words: ["question", "resolve", "Which release?", "--answer", "The next"] },
  {
    words: ["checkpoint"],
    stdin: "# Objective\n\nX\n\n# Current State\n\nRed.\n\n# Next Action\n\nGreen.\n",
  },
  { words: ["handover"], stdin: "# Objective\n\nX\n\n# Current State\n\nRed.\n\n# Next Action\n\nGreen.\n" },
  { words: ["knowledge", "derive", "--all"] },
  { words: ["history", "--rotate"] },
  { words: ["recover", "all"] },
  { words: ["session", "start"] },
  { words: ["session", "close"] },
  { words: ["init", "--extend"] },
  { words: ["hooks", "install", "claude-code"] },
];

test("what a later version left is kept byte for byte by every command that writes", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "s");
  for (const [name, text] of Object.entries(FOREIGN)) {
    mkdirSync(dirname(join(place.root, name)), { recursive: true });
    writeFileSync(join(place.root, name), text);
  }
  appendFileSync(join(place.root, ".ai/local/state/ledger.jsonl"), `${STRANGE_LINES.join("\n")}\n`);
  let done = 0;
  for (const { words, stdin } of WRITING) {
    const run = await runLine(words, {
      directory: place.root,
      environment: { ...place.environment },
      now: Date.now(),
      ...(stdin === undefined ? {} : { stdin }),
    });
    const at = `${words.join(" ")}: ${run.status} ${run.stdout}${run.stderr}`;
    // Done, or refused for a reason that is told; and in both cases nothing is lost.
    if (run.status === 0) done += 1;
    else expect(run.stderr + run.stdout, at).not.toBe("");
    for (const [name, text] of Object.entries(FOREIGN)) {
      expect(existsSync(join(place.root, name)) && readFileSync(join(place.root, name), "utf8"), at).toBe(
        text,
      );
    }
  }
  await claude(place, "SessionEnd.logout", "s");
  expect(done).toBeGreaterThan(WRITING.length - 4);
  const state = join(place.root, ".ai/local/state");
  const lines = readdirSync(state)
    .filter((name) => name.startsWith("ledger."))
    .flatMap((name) => readFileSync(join(state, name), "utf8").split("\n"));
  for (const line of STRANGE_LINES) expect(lines.filter((other) => other === line)).toHaveLength(1);
});

test("work that git does not have is at no command's mercy: nothing removes a worktree or an object, and what dies is named", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "here");
  const lane = addWorktree(place, "lane");
  await claude(place, "SessionStart", "beside", { root: lane, pid: 2 ** 22 - 1 });
  writeFileSync(join(lane, "stashed.txt"), "put away\n");
  git(lane, "stash", "push", "-q", "--include-untracked");
  commitFile(lane, "unpushed.txt", "committed here alone\n");
  writeFileSync(join(lane, "README.md"), "# Changed\n");
  writeFileSync(join(lane, "untracked.txt"), "in no commit\n");
  const removed = addWorktree(place, "lost");
  await claude(place, "SessionStart", "stranded", { root: removed });
  const detached = commitFile(removed, "work.txt", "only here\n");
  git(place.root, "worktree", "remove", "--force", removed);
  const objects = (): string[] =>
    git(place.root, "cat-file", "--batch-all-objects", "--batch-check").split("\n").toSorted();
  const before = {
    objects: objects(),
    worktrees: git(place.root, "worktree", "list", "--porcelain"),
    stash: git(place.root, "stash", "list"),
    status: git(lane, "status", "--porcelain", "--", ":!.ai"),
  };
  const stranded = (await planOf(place)).actions.find(({ lost }) => lost !== undefined);
  expect(stranded?.lost?.join("\n")).toMatch(/uncommitted and untracked files/);
  await recover(place);
  for (const words of [
    ["recover", "all"],
    ["doctor"],
    ["check"],
    ["watch"],
    ["history", "--rotate"],
    ["status"],
  ]) {
    await runLine(words, { directory: place.root, environment: { ...place.environment }, now: Date.now() });
  }
  await claude(place, "SessionEnd.logout", "here");
  expect(git(place.root, "worktree", "list", "--porcelain")).toBe(before.worktrees);
  expect(git(place.root, "stash", "list")).toBe(before.stash);
  expect(git(lane, "status", "--porcelain", "--", ":!.ai")).toBe(before.status);
  expect(readFileSync(join(lane, "untracked.txt"), "utf8")).toBe("in no commit\n");
  expect(objects()).toEqual(expect.arrayContaining(before.objects));
  expect(before.objects.some((line) => line.startsWith(detached))).toBe(true);
  expect(readAll(place.root).records.length).toBeGreaterThan(0);
});
