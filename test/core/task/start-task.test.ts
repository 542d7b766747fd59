import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Checkout } from "../../../src/core/checkout/checkout.ts";
import { Moment } from "../../../src/core/git/moment.ts";
import { sessionLines } from "../../../src/core/ledger/read.ts";
import { parseTask, rewriteTask } from "../../../src/core/records/task.ts";
import { canonicalScope, pathRelation } from "../../../src/core/task/scope.ts";
import { startTask } from "../../../src/core/task/start-task.ts";
import { newPlace } from "../../support/checkout.ts";
import { git } from "../../support/repository.ts";
import { runWorker } from "./support/run-worker.ts";

const start = (checkout: Checkout, task = "split the parser", scope: string[] = ["lib"], session?: string) =>
  startTask(
    checkout,
    { task, scope, profile: "debugging", owner: "dev" },
    { session },
    new Moment(checkout.repository, checkout.head),
  );

const taskText = ({ layout }: Checkout): string => readFileSync(layout.task, "utf8");

describe("starting a task", () => {
  it("writes the original's file, key by key, and its event", async () => {
    const place = await newPlace();
    const checkout = await place.checkout();
    const { task } = start(checkout, "split the parser", ["lib"], "s-20260904120000-0001");
    expect(task.id).toMatch(/^t-20260904120000-[0-9a-f]{4}$/);
    expect(taskText(checkout)).toBe(
      [
        `id: ${task.id}`,
        "task: split the parser",
        "profile: debugging",
        "owner: dev",
        "scope:",
        "  - lib",
        "started_at: 2026-09-04T12:00:00Z",
        "checkpoint_at: 2026-09-04T12:00:00Z",
        "outcome: active",
        `repository_id: ${place.root}/.git`,
        `worktree: ${place.root}`,
        "branch: main",
        `head: ${checkout.head}`,
        "working_tree: clean",
        "",
      ].join("\n"),
    );
    const [line] = sessionLines(checkout.layout.ledger, "s-20260904120000-0001");
    expect(line?.event).toBe("task.started");
    expect(Object.fromEntries(line?.fields ?? [])).toMatchObject({
      task_id: task.id,
      profile: "debugging",
      owner: "dev",
      scope: ["lib"],
    });
  });

  it("folds a pasted text to one line and reads it back", async () => {
    const checkout = await (await newPlace()).checkout();
    start(checkout, '\u001b[200~fix: the "cache"\n  # and more\u001b[201~');
    const read = parseTask(taskText(checkout));
    expect(read).toMatchObject({ ok: true, value: { task: 'fix: the "cache" # and more' } });
  });

  it("is refused while one is active, and archives any other byte for byte", async () => {
    const checkout = await (await newPlace()).checkout();
    const first = start(checkout);
    expect(() => start(checkout, "another")).toThrow(expect.objectContaining({ exit: 15 }));
    const ended = rewriteTask(taskText(checkout), { outcome: "blocked" }).replace(
      "\n",
      "\nunknown_key: kept\n",
    );
    writeFileSync(checkout.layout.task, ended);
    const second = start(checkout, "another");
    expect(second.archived).toBe(`.ai/local/state/archive/${first.task.id}.yaml`);
    expect(readFileSync(join(checkout.root, second.archived ?? ""), "utf8")).toBe(ended);
    expect(taskText(checkout)).toContain("task: another");
  });

  it("writes nothing over a file that is no task", async () => {
    const checkout = await (await newPlace()).checkout();
    mkdirSync(checkout.layout.state, { recursive: true });
    writeFileSync(checkout.layout.task, "outcome: active\n- what\n");
    expect(() => start(checkout)).toThrow(expect.objectContaining({ exit: 10 }));
    expect(taskText(checkout)).toBe("outcome: active\n- what\n");
    expect(existsSync(checkout.layout.ledger)).toBe(false);
  });

  it("archives the task of another checkout that lies here, and says so", async () => {
    const place = await newPlace();
    const checkout = await place.checkout();
    start(checkout);
    writeFileSync(checkout.layout.task, taskText(checkout).replace(/worktree: .*/, "worktree: /elsewhere"));
    const { notes, archived } = start(checkout, "ours");
    expect(notes.join()).toContain("/elsewhere");
    expect(archived).toBeDefined();
  });

  it.each(["", " \n\t", "\u001b[0m"])("refuses the empty text %j", async (text) => {
    const checkout = await (await newPlace()).checkout();
    expect(() => start(checkout, text)).toThrow(expect.objectContaining({ exit: 2 }));
    expect(existsSync(checkout.layout.task)).toBe(false);
  });
});

describe("a scope", () => {
  it("is canonical, inside the repository, each path once", async () => {
    const { root } = await newPlace();
    mkdirSync(join(root, "lib", "deep"), { recursive: true });
    symlinkSync("lib", join(root, "linked"));
    const given = ["lib/,./lib", "linked/deep/", `${root}/README.md`, "not/yet/there", "lib/../lib"];
    expect(canonicalScope(root, given)).toEqual(["lib", "lib/deep", "README.md", "not/yet/there"]);
    expect(canonicalScope(root, ["."])).toEqual(["."]);
    expect(canonicalScope(root, [root])).toEqual(["."]);
  });

  it.each(["..", "../other", "/etc", "lib/../../x", "out/file"])("refuses %j", async (path) => {
    const { root } = await newPlace();
    symlinkSync("/tmp", join(root, "out"));
    expect(() => canonicalScope(root, [path])).toThrow(expect.objectContaining({ exit: 15 }));
  });

  it.each(["we\u001b[1mird", "a\nb", "lib/\u0007", "\u009b1mlib", "a\u2028b", "lib\n", "\tlib"])(
    "refuses a path that no record can hold as it is, though it is there: %j",
    async (path) => {
      const { root } = await newPlace();
      mkdirSync(join(root, path), { recursive: true });
      const refused = expect.objectContaining({
        exit: 2,
        message: expect.stringContaining("no record can keep"),
      });
      expect(() => canonicalScope(root, ["lib", path])).toThrow(refused);
      symlinkSync(join(root, path), join(root, "plain"));
      expect(() => canonicalScope(root, ["plain"])).toThrow(refused);
      expect(canonicalScope(root, [" lib , README.md"])).toEqual(["lib", "README.md"]);
    },
  );

  it.each([[[]], [[","]], [[" , ,"]]])("refuses to be empty: %j", async (given) => {
    const { root } = await newPlace();
    expect(() => canonicalScope(root, given)).toThrow(expect.objectContaining({ exit: 2 }));
  });

  it.each([
    ["lib", "lib", "equal"],
    ["lib", "lib/a", "contains"],
    ["lib/a", "lib", "contained by"],
    [".", "lib", "contains"],
    ["lib", ".", "contained by"],
    ["lib", "library", undefined],
    ["a", "b", undefined],
  ])("%s to %s is %s", (path, other, relation) => {
    expect(pathRelation(path, other)).toBe(relation);
  });

  it("that another worktree's active task claims is reported and not blocked", async () => {
    const place = await newPlace();
    const sibling = `${place.root}-sibling`;
    onTestFinished(() => rmSync(sibling, { recursive: true, force: true }));
    git(place.root, "worktree", "add", "-q", "-b", "side", sibling);
    const theirs = start(await place.checkout(sibling), "theirs", ["lib/parser", "docs"]);
    const { overlaps } = start(await place.checkout(), "ours", ["lib", "docs", "test"]);
    expect(overlaps).toEqual([
      {
        worktree: sibling,
        task_id: theirs.task.id,
        task: "theirs",
        path: "lib",
        relation: "contains",
        other: "lib/parser",
      },
      {
        worktree: sibling,
        task_id: theirs.task.id,
        task: "theirs",
        path: "docs",
        relation: "equal",
        other: "docs",
      },
    ]);
    const checkout = await place.checkout(sibling);
    writeFileSync(checkout.layout.task, rewriteTask(taskText(checkout), { outcome: "completed" }));
    const here = await place.checkout();
    writeFileSync(here.layout.task, rewriteTask(taskText(here), { outcome: "completed" }));
    expect(start(here, "again", ["lib"]).overlaps).toEqual([]);
  });

  it("that another worktree may claim unread is said to be unknown, with the worktree", async () => {
    const place = await newPlace();
    const sibling = `${place.root}-sibling`;
    onTestFinished(() => rmSync(sibling, { recursive: true, force: true }));
    git(place.root, "worktree", "add", "-q", "-b", "side", sibling);
    const theirs = await place.checkout(sibling);
    start(theirs, "theirs", ["lib"]);
    writeFileSync(theirs.layout.task, taskText(theirs).replace("outcome: active", "outcome: weird"));
    const { overlaps, notes } = start(await place.checkout());
    expect(overlaps).toEqual([]);
    expect(notes).toEqual([
      expect.stringMatching(`^whether a task of ${sibling} claims a path of this scope is unknown: .*weird`),
    ]);
  });
});

describe("many starts at once", () => {
  it("give one task, and one refusal to each of the others", async () => {
    const place = await newPlace();
    const runs = await Promise.all(
      Array.from({ length: 6 }, (_, index) => runWorker([place.root, "start", `worker-${index}`])),
    );
    expect(runs.filter(({ acknowledged }) => acknowledged.length === 1)).toHaveLength(1);
    expect(runs.filter(({ stderr }) => stderr.includes("is still active"))).toHaveLength(5);
    const { layout, common } = await place.checkout();
    expect(readFileSync(layout.ledger, "utf8").match(/"task\.started"/g)).toHaveLength(1);
    expect(readdirSync(join(common.root, "task-ids")).length).toBeGreaterThanOrEqual(1);
  });

  it("survive a kill before each operation on the disk", async () => {
    const place = await newPlace();
    const { layout } = await place.checkout();
    for (let operation = 1; ; operation += 3) {
      rmSync(layout.task, { force: true });
      const run = await runWorker([place.root, "start", "killed"], `kill@${operation}`);
      const left = existsSync(layout.task) ? parseTask(readFileSync(layout.task, "utf8")) : undefined;
      expect(left?.ok ?? true).toBe(true);
      if (run.signal === null) break;
      expect(operation).toBeLessThan(400);
      const checkout = await place.checkout();
      if (left === undefined) expect(start(checkout).task.outcome).toBe("active");
      else expect(() => start(checkout)).toThrow(expect.objectContaining({ exit: 15 }));
    }
  }, 180_000);
});
