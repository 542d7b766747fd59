import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { judgeRecords } from "../../../src/core/health/doctor/judge-records.ts";
import { readJournalTail } from "../../../src/core/journal/event-journal.ts";
import { newPlace } from "../../support/checkout.ts";
import type { Place } from "../../support/checkout.ts";
import { commitFile, git } from "../../support/repository.ts";

const END = { reason: "prompt_input_exit", closes: true };

/** A repository whose policy wants records committed, and a session that is open in it. */
async function placeThatCommits(): Promise<Place> {
  const place = await newPlace();
  const policy = join(place.root, ".ai/repo/policy.yaml");
  const text = readFileSync(policy, "utf8");
  writeFileSync(policy, text.replace("commit_record_on_end: false", "commit_record_on_end: true"));
  git(place.root, "add", "-A");
  git(place.root, "commit", "-q", "-m", "Commit records");
  await place.fire("start", "one");
  return place;
}

interface Step {
  result: string;
  reason?: string;
}

/** What the newest event's step became; undefined where it was none. */
async function step(place: Place): Promise<Step | undefined> {
  const newest = readJournalTail(await place.checkout()).findLast(({ phase }) => phase === "outcome");
  const found = (newest?.steps ?? []).find((one) => one.step === "commit_record");
  return found && { result: found.result, ...(found.reason === undefined ? {} : { reason: found.reason }) };
}

const head = (root: string): string => git(root, "rev-parse", "HEAD");

it("commits the record of an ended episode, that path alone, and leaves what is staged staged", async () => {
  const place = await placeThatCommits();
  const { root } = place;
  for (const name of ["pre-commit", "commit-msg", "post-commit", "reference-transaction"]) {
    const hook = join(root, ".git/hooks", name);
    mkdirSync(join(root, ".git/hooks"), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\necho ${name} >> '${root}/.git/hooks-ran'\nexit 1\n`);
    chmodSync(hook, 0o755);
  }
  writeFileSync(join(root, "staged.txt"), "s");
  git(root, "add", "staged.txt");
  writeFileSync(join(root, "README.md"), "# Changed\n");
  const before = head(root);
  await place.fire("end", "one", END);
  expect(await step(place)).toEqual({ result: "done" });
  expect(git(root, "rev-list", `${before}..HEAD`).split("\n")).toEqual([head(root)]);
  const [path = "", ...others] = git(root, "show", "--format=", "--name-only", "HEAD").split("\n");
  expect(others).toEqual([]);
  expect(path).toMatch(/^\.ai\/repo\/sessions\/\d{8}T\d{6}Z--s-.*\.md$/);
  expect(git(root, "show", `HEAD:${path}`)).toBe(readFileSync(join(root, path), "utf8").trim());
  expect(git(root, "show", "-s", "--format=%s by %an", "HEAD")).toMatch(
    /^Record session s-\d{14}-[0-9a-f]{4} by /,
  );
  expect(git(root, "status", "--porcelain=v1")).toBe("M README.md\nA  staged.txt");
  expect(existsSync(join(root, ".git/hooks-ran"))).toBe(false);
  expect(git(root, "fsck", "--strict", "--no-dangling")).toBe("");
  const committed = head(root);
  await place.fire("end", "one", END);
  expect(head(root)).toBe(committed);
});

it("commits nothing unless the policy says so", async () => {
  const place = await newPlace();
  const before = head(place.root);
  await place.fire("start", "one");
  await place.fire("end", "one", END);
  expect(await step(place)).toBeUndefined();
  expect(head(place.root)).toBe(before);
});

it("leaves the record in the work tree in the middle of something, and says why", async () => {
  const place = await placeThatCommits();
  const { root } = place;
  const inGit = (name: string): string => join(root, ".git", name);
  const disturbances: [RegExp, () => void, () => void][] = [
    ...(["MERGE_HEAD", "CHERRY_PICK_HEAD", "index.lock"] as const).map(
      (name): [RegExp, () => void, () => void] => [
        name === "index.lock" ? /the index is locked/ : /a (?:merge|pick) is under way/,
        () => writeFileSync(inGit(name), name === "index.lock" ? "" : `${head(root)}\n`),
        () => rmSync(inGit(name)),
      ],
    ),
    [
      /a rebase is under way/,
      () => mkdirSync(inGit("rebase-merge")),
      () => rmSync(inGit("rebase-merge"), { recursive: true }),
    ],
    [
      /HEAD is on no branch/,
      () => void git(root, "checkout", "-q", "--detach"),
      () => void git(root, "checkout", "-q", "main"),
    ],
    [
      /is ignored by git/,
      () => writeFileSync(inGit("info/exclude"), ".ai/repo/sessions/\n"),
      () => rmSync(inGit("info/exclude")),
    ],
  ];
  const before = head(root);
  for (const [index, [reason, disturb, settle]] of disturbances.entries()) {
    await place.fire("start", `session-${index}`);
    disturb();
    await place.fire("end", `session-${index}`, END);
    expect(await step(place)).toEqual({ result: "skipped", reason: expect.stringMatching(reason) });
    settle();
  }
  expect(head(root)).toBe(before);
  expect(git(root, "diff", "--cached", "--name-only")).toBe("");
  const records = git(root, "ls-files", "--others", ".ai/repo/sessions").split("\n");
  expect(records).toHaveLength(disturbances.length);
  // What somebody has written into since is theirs to commit.
  const [changed = ""] = records;
  appendFileSync(join(root, changed), "\nMine.\n");
  await place.fire("start", "last");
  await place.fire("end", "last", END);
  expect(await step(place)).toEqual({ result: "done" });
  expect(git(root, "status", "--porcelain=v1")).toBe(`?? ${changed}`);
  expect(git(root, "rev-list", "--count", `${before}..HEAD`)).toBe(String(disturbances.length));
  expect(git(root, "ls-tree", "-r", "--name-only", "HEAD", ".ai/repo/sessions").split("\n")).toHaveLength(
    disturbances.length + 1,
  );
});

/** How many records doctor finds uncommitted, in its words. */
async function uncommitted(place: Place): Promise<string[]> {
  const findings = judgeRecords(await place.checkout());
  return findings.map(({ message }) => message).filter((message) => message.includes("not committed"));
}

it("leaves the index as it was where the branch stays held, and commits the record at a later end", async () => {
  const place = await placeThatCommits();
  const { root } = place;
  writeFileSync(join(root, "staged.txt"), "s");
  git(root, "add", "staged.txt");
  const staged = git(root, "ls-files", "--stage");
  const held = join(root, ".git/refs/heads/main.lock");
  const before = head(root);
  writeFileSync(held, "");
  await place.fire("end", "one", END);
  expect(await step(place)).toEqual({
    result: "skipped",
    reason: expect.stringMatching(/cannot lock ref 'refs\/heads\/main'/),
  });
  expect(head(root)).toBe(before);
  expect(git(root, "ls-files", "--stage")).toBe(staged);
  expect(await uncommitted(place)).toEqual(["1 closed record(s) are not committed"]);
  rmSync(held);
  await place.fire("start", "two");
  await place.fire("end", "two", END);
  expect(await step(place)).toEqual({ result: "done" });
  expect(git(root, "rev-list", "--count", `${before}..HEAD`)).toBe("2");
  expect(git(root, "status", "--porcelain=v1")).toBe("A  staged.txt");
  expect(await uncommitted(place)).toEqual([]);
});

it("tells of a record that is staged and in no commit, as long as it is", async () => {
  const place = await newPlace();
  const { root } = place;
  await place.fire("start", "one");
  await place.fire("end", "one", END);
  git(root, "add", ".ai/repo/sessions");
  expect(await uncommitted(place)).toEqual(["1 closed record(s) are not committed"]);
  git(root, "commit", "-q", "-m", "Record it");
  expect(await uncommitted(place)).toEqual([]);
});

it("commits to the branch of the episode's own worktree, and to no other", async () => {
  const place = await placeThatCommits();
  const sibling = `${place.root}-side`;
  onTestFinished(() => rmSync(sibling, { recursive: true, force: true }));
  git(place.root, "worktree", "add", "-q", "-b", "side", sibling);
  commitFile(sibling, "own.txt", "o");
  const before = { main: head(place.root), side: head(sibling) };
  await place.fire("start", "two", { cwd: sibling });
  await place.fire("end", "two", { ...END, cwd: place.root });
  expect(head(place.root)).toBe(before.main);
  expect(git(sibling, "rev-parse", "HEAD^")).toBe(before.side);
  expect(git(sibling, "status", "--porcelain=v1")).toBe("");
});
