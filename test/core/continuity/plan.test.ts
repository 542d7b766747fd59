import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NEVER } from "../../../src/core/base/cancellation.ts";
import type { PlanAnswer } from "../../../src/core/continuity/plan-answer.ts";
import { planResume } from "../../../src/core/continuity/plan.ts";
import { publishHandover } from "../../../src/core/continuity/publish.ts";
import { resumeRecord } from "../../../src/core/continuity/resume.ts";
import { syncStore } from "../../../src/core/continuity/sync.ts";
import { shellWord } from "../../../src/core/text/shell-word.ts";
import { readDevice } from "../../../src/core/device/device-key.ts";
import { bodyOf, newTeam } from "./support/machines.ts";
import type { Machine, Team } from "./support/machines.ts";

const REFERENCE = "refs/majordomus/continuity";

async function publish(machine: Machine, objective: string, body = bodyOf(objective)): Promise<string> {
  machine.clock.forward(1);
  await machine.handOver(body);
  return (await publishHandover(await machine.checkout(), {})).record.id;
}

/** Hands the records of one machine to another without a remote. */
function deliver(from: Machine, to: Machine): void {
  to.git("fetch", "-q", from.root, `+${REFERENCE}:${REFERENCE}`);
}

const plan = async (machine: Machine, record?: string): Promise<PlanAnswer> =>
  planResume(await machine.checkout(), { record });
const resume = async (machine: Machine, record?: string) =>
  resumeRecord(await machine.checkout(), { record });

const codesOf = (answer: PlanAnswer) => ({
  status: answer.status,
  blockers: answer.blockers.map(({ code }) => code),
  warnings: answer.warnings.map(({ code }) => code),
});
const commands = ({ actions }: PlanAnswer): string[] => actions.map(({ command }) => command);

/** Runs a recommended git command as a person would. */
function follow(machine: Machine, command: string | undefined): void {
  expect(command).toMatch(/^git /);
  execFileSync("sh", ["-c", command ?? ""], {
    cwd: machine.root,
    stdio: "ignore",
    env: {
      ...process.env,
      GIT_AUTHOR_NAME: "W",
      GIT_AUTHOR_EMAIL: "w@example.org",
      GIT_COMMITTER_NAME: "W",
      GIT_COMMITTER_EMAIL: "w@example.org",
    },
  });
}

async function pair(): Promise<{ team: Team; a: Machine; b: Machine }> {
  const team = await newTeam();
  return { team, a: team.machine("a"), b: team.machine("b") };
}

function declare(machine: Machine, allow: readonly string[], policy = "allowlist"): void {
  mkdirSync(join(machine.root, ".ai/repo/mesh"), { recursive: true });
  writeFileSync(
    join(machine.root, ".ai/repo/mesh/team.yaml"),
    `schema: mesh/v1\nkind: mesh-declaration\nid: team\ndiscovery: {}\ntrust:\n  policy: ${policy}\n  allow: [${allow.join(", ")}]\n`,
  );
}

function commitDeclaration(machine: Machine): void {
  machine.git("add", "-A", ".ai/repo/mesh");
  machine.git("commit", "-q", "-m", "Say who is trusted");
}

const keyOf = (machine: Machine): string => readDevice(machine.environment)?.publicKey ?? "";

describe("nothing to resume", () => {
  it("before anything was synced: sync is recommended; after it, that is said", async () => {
    const { b } = await pair();
    const before = await plan(b);
    expect(codesOf(before)).toEqual({ status: "nothing_to_resume", blockers: [], warnings: [] });
    expect(commands(before)).toEqual(["majordomus continuity sync"]);
    await syncStore(await b.checkout(), {}, { signal: NEVER, progress: () => undefined });
    expect(codesOf(await plan(b))).toMatchObject({ warnings: ["nothing_published"] });
  });

  it("for a record that is unknown, or whose file was refused", async () => {
    const { a, b } = await pair();
    await publish(a, "One");
    deliver(a, b);
    expect(codesOf(await plan(b, "abcdef"))).toMatchObject({
      status: "nothing_to_resume",
      blockers: ["record_unknown"],
    });
    expect(codesOf(await plan(b, "'; rm -rf /"))).toMatchObject({ blockers: ["record_unknown"] });
    const id = await publish(a, "Two");
    const text = a.git("cat-file", "blob", `${REFERENCE}:records/${id}.json`).replace("Two", "Tow");
    const input = (command: string[], stdin: string): string =>
      execFileSync("git", command, { cwd: b.root, input: stdin }).toString().trim();
    const blob = input(["hash-object", "-w", "--stdin"], text);
    const records = input(["mktree"], `100644 blob ${blob}\t${id}.json\n`);
    b.git(
      "update-ref",
      REFERENCE,
      b.git("commit-tree", "-m", "x", input(["mktree"], `040000 tree ${records}\trecords\n`)),
    );
    expect(codesOf(await plan(b, id.slice(0, 8)))).toMatchObject({
      status: "nothing_to_resume",
      blockers: ["continuity.id_mismatch"],
    });
  });
});

describe("one record", () => {
  it("at this very commit is ready but for a declaration, and names everything that travels", async () => {
    const { a, b } = await pair();
    writeFileSync(
      join(a.root, ".ai/local/state/current.yaml"),
      `id: t-20261003180000-0a1b\ntask: it's "the" callback\nprofile: debugging\nscope:\n  - lib\n  - a b\noutcome: active\nworktree: ${a.root}\n`,
    );
    writeFileSync(
      join(a.root, ".ai/local/state/decisions.md"),
      "# Decisions\n\n## 2026-10-03 — one store\nTask: t-20261003180000-0a1b\nWhy: x\n",
    );
    a.clock.forward(1);
    await a.handOver(bodyOf("Fix it", "Make it green."), { task: "t-20261003180000-0a1b" });
    const { record } = await publishHandover(await a.checkout(), { issue: "#1", milestone: "M1" });
    deliver(a, b);
    const answer = await plan(b);
    expect(answer).toMatchObject({
      status: "ready_with_warnings",
      record: { id: record.id, issue: "#1", trust: "undeclared" },
      source: {
        relation: "exact",
        expected_branch: "main",
        origin_dirty: false,
        local_dirty: false,
        origin_changed_total: 0,
      },
      lineage: { line: record.id, state: "linear", heads: [record.id] },
      task: { title: 'it\'s "the" callback', profile: "debugging", scope: ["lib", "a b"] },
      milestone: "M1",
      decisions: ["2026-10-03 — one store"],
      objective: "Fix it",
      current_state: "Half of it is done.",
      next_action: "Make it green.",
      blockers: [],
      warnings: [{ code: "origin_undeclared" }],
      restores: ["handover", "intent", "issue", "decisions", "next_action", "lineage", "provenance"],
      recomputes: ["worktree", "repository_id", "episode", "working_context", "source_state"],
    });
    expect(commands(answer)).toEqual([
      `majordomus continuity resume --record ${record.id.slice(0, 12)}`,
      `majordomus start 'it'\\''s "the" callback' --scope 'lib,a b' --profile debugging`,
    ]);
    expect(b.git("status", "--porcelain")).toBe("");
  });

  it("of a declared key is ready; of another one refused; a work tree alone cannot add a key", async () => {
    const { team, a } = await pair();
    await publish(a, "One");
    declare(a, [keyOf(a)]);
    const b = team.machine("seer");
    deliver(a, b);
    // In the work tree of b alone: the trunk's committed copy decides.
    declare(b, [keyOf(a)]);
    const alone = await plan(b);
    expect(codesOf(alone)).toMatchObject({ status: "refused", blockers: ["origin_untrusted"] });
    expect(alone.blockers[0]?.message).toContain("in this work tree alone");
    expect(commands(alone)[0]).toMatch(/^majordomus continuity show [0-9a-f]{12}$/);
    commitDeclaration(b);
    b.git("push", "-q", "origin", "main");
    expect(await plan(b)).toMatchObject({ record: { trust: "trusted" }, blockers: [] });
    // A work tree can take away.
    declare(b, []);
    expect(codesOf(await plan(b))).toMatchObject({ status: "refused" });
    // And one without a declaration is ruled by the trunk's.
    execFileSync("rm", ["-r", join(b.root, ".ai/repo/mesh")]);
    expect(await plan(b)).toMatchObject({ record: { trust: "trusted" } });
    expect(await resume(b).then(({ resumed }) => resumed)).toBe(true);
  });

  it("a declaration that cannot be read is an error, never an absent one", async () => {
    const { a, b } = await pair();
    await publish(a, "One");
    deliver(a, b);
    mkdirSync(join(b.root, ".ai/repo/mesh"), { recursive: true });
    for (const text of [
      "schema: mesh/v2\n",
      "a: [\n",
      "schema: mesh/v1\nkind: mesh-declaration\nid: x\ntrust: {allow: [short]}\n",
    ]) {
      writeFileSync(join(b.root, ".ai/repo/mesh/team.yaml"), text);
      await expect(plan(b)).rejects.toMatchObject({ code: "mesh.invalid", exit: 10 });
      await expect(resume(b)).rejects.toMatchObject({ code: "mesh.invalid" });
    }
  });

  it.each(["tofu", "deny_unknown"])("policy %s for a key that nobody named", async (policy) => {
    const { a, b } = await pair();
    await publish(a, "One");
    deliver(a, b);
    declare(b, [], policy);
    commitDeclaration(b);
    b.git("push", "-q", "origin", "main");
    expect((await plan(b)).record?.trust).toBe(policy === "tofu" ? "trusted" : "untrusted");
  });

  it("whose commit was not pushed, then not pulled: each command that is recommended works", async () => {
    const { a, b } = await pair();
    a.commit("lib/a.ts", "a\n");
    await publish(a, "One");
    deliver(a, b);
    // Delivering the records does not bring the source.
    const missing = await plan(b);
    expect(codesOf(missing)).toMatchObject({ status: "requires_source_update", blockers: ["head_missing"] });
    expect(commands(missing)).toEqual(["git fetch origin"]);
    a.git("push", "-q");
    follow(b, commands(missing)[0]);
    const behind = await plan(b);
    expect(codesOf(behind)).toMatchObject({ status: "requires_source_update", blockers: ["local_behind"] });
    expect(commands(behind)).toEqual(["git pull --ff-only origin main"]);
    follow(b, commands(behind)[0]);
    expect(codesOf(await plan(b))).toMatchObject({ status: "ready_with_warnings", blockers: [] });
    b.commit("lib/b.ts", "b\n");
    expect(codesOf(await plan(b))).toMatchObject({ warnings: ["origin_undeclared", "local_ahead"] });
  });

  it("of another branch: switch; of a history that went another way: merge", async () => {
    const { a, b } = await pair();
    a.git("switch", "-q", "-c", "feature/x-y'z");
    a.commit("lib/a.ts", "a\n");
    a.git("push", "-q", "-u", "origin", "HEAD");
    await publish(a, "One");
    deliver(a, b);
    b.git("fetch", "-q");
    const differs = await plan(b);
    expect(codesOf(differs)).toMatchObject({
      status: "requires_source_update",
      blockers: ["branch_differs"],
    });
    expect(commands(differs)).toEqual([`git switch 'feature/x-y'\\''z'`]);
    follow(b, commands(differs)[0]);
    expect(codesOf(await plan(b))).toMatchObject({ status: "ready_with_warnings" });
    b.git("reset", "-q", "--hard", "HEAD~1");
    b.commit("lib/c.ts", "c\n");
    const diverged = await plan(b);
    expect(codesOf(diverged)).toMatchObject({ status: "conflict", blockers: ["source_diverged"] });
    follow(b, commands(diverged)[0]);
    expect(codesOf(await plan(b))).toMatchObject({ warnings: ["origin_undeclared", "local_ahead"] });
  });

  it("with uncommitted work there, here, and the very same on both sides", async () => {
    const { a, b } = await pair();
    writeFileSync(join(a.root, "README.md"), "# changed\n");
    await publish(a, "One");
    deliver(a, b);
    const incomplete = await plan(b);
    expect(codesOf(incomplete)).toMatchObject({ warnings: ["origin_undeclared", "source_incomplete"] });
    expect(incomplete.warnings[1]?.message).toContain("README.md");
    expect(incomplete.source).not.toHaveProperty("same_uncommitted_work");
    writeFileSync(join(b.root, "note.txt"), "mine\n");
    const both = await plan(b);
    expect(codesOf(both)).toMatchObject({
      warnings: ["origin_undeclared", "source_incomplete", "local_dirty"],
    });
    expect(both.source).toMatchObject({ same_uncommitted_work: false });
    expect(both.warnings[2]?.message).toContain("note.txt");
    b.git("clean", "-qf");
    writeFileSync(join(b.root, "README.md"), "# changed\n");
    const same = await plan(b);
    expect(codesOf(same)).toMatchObject({ warnings: ["origin_undeclared"] });
    expect(same.source).toMatchObject({ same_uncommitted_work: true });
  });

  it("from an episode that is still open, by their own clocks", async () => {
    const { a, b } = await pair();
    writeFileSync(
      join(a.root, ".ai/local/state/session-current.yaml"),
      `session_id: s-20261003170000-fc51\nstarted_at: 2026-10-03T17:00:00Z\nworktree: ${a.root}\nbranch: main\nstart_head: abc\n`,
    );
    await publish(a, "One");
    deliver(a, b);
    b.clock.forward(60);
    expect(codesOf(await plan(b)).warnings).toContain("origin_may_be_active");
    b.clock.forward(1);
    expect(codesOf(await plan(b)).warnings).not.toContain("origin_may_be_active");
  });

  it("of no branch is not judged by one; without a commit it is not judged by commits", async () => {
    const { a, b } = await pair();
    a.git("switch", "-q", "--detach");
    const detached = await publish(a, "Detached");
    deliver(a, b);
    b.commit("lib/x.ts", "x\n");
    const answer = await plan(b, detached);
    expect(answer).toMatchObject({ source: { relation: "local_ahead", local_branch: "main" } });
    expect(answer.source).not.toHaveProperty("expected_branch");

    mkdirSync(join(a.root, ".ai/repo/mesh"), { recursive: true });
    const named =
      "schema: mesh/v1\nkind: mesh-declaration\nid: team\ntrust: {policy: tofu}\ncooperation: {repository: owner/tidepool}\n";
    for (const machine of [a, b]) {
      mkdirSync(join(machine.root, ".ai/repo/mesh"), { recursive: true });
      writeFileSync(join(machine.root, ".ai/repo/mesh/team.yaml"), named);
    }
    a.git("update-ref", "-d", REFERENCE);
    a.git("checkout", "-q", "--orphan", "empty");
    const beginning = await publish(a, "Begin");
    deliver(a, b);
    expect(codesOf(await plan(b, beginning)).blockers).toEqual(["origin_untrusted"]);
    commitDeclaration(b);
    b.git("push", "-q");
    const unknown = await plan(b, beginning);
    expect(codesOf(unknown).warnings).toContain("source_unknown");
    expect(unknown).toMatchObject({ source: { relation: "unknown" } });
  });

  it("cannot be published from a shallow clone that is not named otherwise", async () => {
    const { team, a, b } = await pair();
    b.commit("lib/x.ts", "x\n");
    b.git("push", "-q");
    execFileSync("rm", ["-r", a.root]);
    execFileSync("git", ["clone", "-q", "--depth=1", `file://${team.remote}`, a.root]);
    await expect(plan(a)).rejects.toMatchObject({ code: "continuity.shallow", exit: 10 });
    await expect(plan(a)).rejects.toHaveProperty("remedy", expect.stringContaining("cooperation.repository"));
  });
});

describe("lines", () => {
  it("that wait in twos, on this branch and on others, are a person's choice", async () => {
    const { team, a, b } = await pair();
    const c = team.machine("c");
    const first = await publish(a, "One");
    deliver(a, b);
    c.git("switch", "-q", "-c", "side");
    const third = await publish(c, "Three");
    const options = { signal: NEVER, progress: () => undefined };
    await syncStore(await a.checkout(), {}, options);
    await syncStore(await c.checkout(), {}, options);
    await syncStore(await b.checkout(), {}, options);
    // An offer of this very branch comes first.
    expect(await plan(b)).toMatchObject({ record: { id: first } });
    b.git("switch", "-q", "-c", "third");
    const several = await plan(b);
    expect(codesOf(several)).toMatchObject({ status: "choose_record", blockers: ["several_resumable"] });
    expect(several.candidates?.map(({ id }) => id).toSorted()).toEqual([first, third].toSorted());
    expect(commands(several)).toHaveLength(2);
    for (const command of commands(several)) {
      const id = command.split(" ").at(-1) ?? "";
      expect((await plan(b, id)).record?.id.startsWith(id)).toBe(true);
    }
    expect(await plan(b, "")).toMatchObject({ status: "nothing_to_resume" });
  });

  it("that were continued twice are shown side by side; either can be resumed, the other stays", async () => {
    const { team, a, b } = await pair();
    const c = team.machine("c");
    const root = await publish(a, "Begin");
    deliver(a, b);
    deliver(a, c);
    for (const [machine, why] of [
      [b, "with a store"],
      [c, "without one"],
    ] as const) {
      await resume(machine);
      machine.clock.forward(5);
      writeFileSync(
        join(machine.root, ".ai/local/state/current.yaml"),
        `id: t-20261003180000-0a1b\ntask: x\noutcome: active\nworktree: ${machine.root}\n`,
      );
      writeFileSync(
        join(machine.root, ".ai/local/state/decisions.md"),
        `# Decisions\n\n## shared\nTask: t-20261003180000-0a1b\n\n## ${why}\nTask: t-20261003180000-0a1b\n`,
      );
      await machine.handOver(bodyOf(`Go on ${why}`, `Next ${why}`), { task: "t-20261003180000-0a1b" });
    }
    const one = (await publishHandover(await b.checkout(), {})).record;
    const two = (await publishHandover(await c.checkout(), {})).record;
    expect([one.line, two.line, one.parent, two.parent]).toEqual([root, root, root, root]);
    const options = { signal: NEVER, progress: () => undefined };
    await syncStore(await b.checkout(), {}, options);
    await syncStore(await c.checkout(), {}, options);
    await syncStore(await a.checkout(), {}, options);

    // For the one that began it both wait.
    const chosen = await plan(a);
    expect(codesOf(chosen)).toMatchObject({ status: "choose_record", blockers: ["several_resumable"] });
    expect(chosen.continuations).toHaveLength(2);
    const sides = new Map(chosen.continuations?.map((side) => [side.record.id, side]));
    expect(sides.get(one.id)).toMatchObject({
      chosen: false,
      here: false,
      objective: "Go on with a store",
      next_action: "Next with a store",
      decisions: ["shared", "with a store"],
      decisions_only: ["with a store"],
      record: { device: { label: one.device.label }, head: b.git("rev-parse", "HEAD") },
    });
    expect(sides.get(two.id)).toMatchObject({ decisions_only: ["without one"] });

    // By name either one is a warning.
    const named = await plan(a, two.id);
    expect(codesOf(named)).toMatchObject({
      status: "ready_with_warnings",
      warnings: ["origin_undeclared", "line_diverged"],
    });
    expect(named.warnings[1]?.message).toContain("the others stay");
    expect(await resume(a, two.id)).toMatchObject({ resumed: true, position: { record: two.id } });
    // The other one still waits, and would take the branch another way.
    const other = await plan(a);
    expect(codesOf(other)).toMatchObject({
      status: "conflict",
      blockers: ["line_diverged", "would_diverge"],
    });
    expect(commands(other).at(-1)).toBe("majordomus start 'x'");
    for (const command of commands(other).slice(0, -1)) {
      expect(command).toMatch(/^majordomus continuity plan --record [0-9a-f]{12}$/);
      expect((await plan(a, command.split(" ").at(-1))).status).toBe("ready_with_warnings");
    }
    expect(other.continuations?.map(({ here }) => here).toSorted()).toEqual([false, true]);
    expect(codesOf(await plan(a, two.id)).warnings).toContain("already_resumed");
  });

  it("whose beginning has not come yet are resumed all the same, and said to be incomplete", async () => {
    const { a, b } = await pair();
    const first = await publish(a, "One");
    const tip = a.git("rev-parse", REFERENCE);
    const second = await publish(a, "Two");
    // Only the second one is delivered.
    const blob = a.git("rev-parse", `${REFERENCE}:records/${second}.json`);
    deliver(a, b);
    const input = (command: string[], stdin: string): string =>
      execFileSync("git", command, { cwd: b.root, input: stdin }).toString().trim();
    const records = input(["mktree"], `100644 blob ${blob}\t${second}.json\n`);
    b.git(
      "update-ref",
      REFERENCE,
      b.git("commit-tree", "-m", "x", input(["mktree"], `040000 tree ${records}\trecords\n`)),
    );
    expect(codesOf(await plan(b))).toMatchObject({ warnings: ["origin_undeclared", "lineage_incomplete"] });
    expect(await plan(b)).toMatchObject({ lineage: { line: first, parent: first, state: "linear" } });
    expect(tip).not.toBe("");
  });
});

describe("a word of a shell", () => {
  it.each([
    ["main", "main"],
    ["feature/x", "feature/x"],
    ["-x", "-x"],
    ["a b", "'a b'"],
    ["$(rm)", "'$(rm)'"],
    ["a'b", "'a'\\''b'"],
    ["", "''"],
  ])("%j is %s, and means itself", (value, word) => {
    expect(shellWord(value)).toBe(word);
    expect(execFileSync("sh", ["-c", `printf %s ${word}`]).toString()).toBe(value);
  });
});
