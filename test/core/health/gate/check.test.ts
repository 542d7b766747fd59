import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkWork } from "../../../../src/core/health/gate/check.ts";
import { explainPolicy } from "../../../../src/core/health/gate/explain.ts";
import { addDecision } from "../../../../src/core/task/decisions.ts";
import { addQuestion } from "../../../../src/core/task/questions.ts";
import { newPlace } from "../../../support/checkout.ts";
import { pathWithGit, REAL_GIT } from "../../git/sandbox.ts";
import { commitFile, git } from "../../../support/repository.ts";
import { faults, findingOf, newWork } from "../support/work.ts";
import type { Work } from "../support/work.ts";

function state(work: Work, name: string): string {
  return join(work.root, ".ai/local/state", name);
}

describe("a check", () => {
  it("says in the order of the gate that all is well", async () => {
    const work = await newWork();
    const { findings, task } = await work.check();
    expect(findings.map(({ level, category }) => `${level} ${category}`)).toEqual([
      "OK state",
      "OK scope",
      "OK checkpoint",
      "OK blockers",
      "OK decisions",
      "OK ledger",
      "OK questions",
      "OK knowledge",
    ]);
    expect(task).toMatchObject({ id: work.task.id, foreign: false, divergence: "exact" });
  });

  it("names every path outside the scope, committed, staged, renamed or untracked", async () => {
    const work = await newWork();
    work.write("lib/a.ts", "1\n");
    work.write("library/b.ts", "1\n");
    work.write("deep/new/c.ts", "1\n");
    work.write(".ai/repo/rules/r.md", "# inside, always\n");
    commitFile(work.root, "outside.txt", "1\n");
    git(work.root, "mv", "README.md", "lib/README.md");
    const { findings } = await work.check();
    expect(faults(findings)).toEqual([
      "FAIL scope README.md",
      "FAIL scope deep/new/c.ts",
      "FAIL scope library/b.ts",
      "FAIL scope outside.txt",
    ]);
    expect(findings[0]?.message).toContain("advanced");
  });

  it("counts apart what is of no scope, and as inside what the scope itself names", async () => {
    const scopeOf = async (work: Awaited<ReturnType<typeof newWork>>): Promise<string | undefined> =>
      (await work.check()).findings.find(({ category }) => category === "scope")?.message;
    const work = await newWork();
    expect(await scopeOf(work)).toBe("0 changed file(s), all inside lib");
    work.write(".ai/repo/sessions/a.md", "1\n");
    work.write(".ai/repo/sessions/b.md", "1\n");
    const unjudged = "(2 of the layer and its projections are not judged)";
    expect(await scopeOf(work)).toBe(`0 changed file(s) inside lib ${unjudged}`);
    work.write("lib/a.ts", "1\n");
    expect(await scopeOf(work)).toBe(`1 changed file(s), all inside lib ${unjudged}`);
    const layer = await newWork({ scope: [".ai/repo/sessions"] });
    layer.write(".ai/repo/sessions/a.md", "1\n");
    expect(await scopeOf(layer)).toBe("1 changed file(s), all inside .ai/repo/sessions");
  });

  it("takes the whole repository for a scope, and the target of a projection for inside any", async () => {
    const everything = await newWork({ scope: ["."] });
    everything.write("anywhere/x", "1\n");
    expect(faults((await everything.check()).findings)).toEqual([]);
    const work = await newWork();
    appendFileSync(
      join(work.root, ".ai/repo/policy.yaml"),
      "projections:\n  - provider: claude-code\n    target: CLAUDE.md\n",
    );
    work.write("CLAUDE.md", "x\n");
    expect(faults((await work.check()).findings)).toEqual([]);
  });

  it("blames no task for what the program writes itself", async () => {
    const work = await newWork();
    work.write(".aigent/state.json", JSON.stringify({ memory_root: "vault/memory" }));
    work.write("vault/memory/capsules/2026-09-04-auto-abc.md", "saved by a hook\n");
    work.write("vault/other.md", "1\n");
    expect(faults((await work.check()).findings)).toEqual(["FAIL scope vault/other.md"]);
  });

  it("fails where the start is not in the history, and on another branch", async () => {
    const work = await newWork();
    git(work.root, "switch", "-q", "-c", "other");
    expect(findingOf((await work.check()).findings, "state", "FAIL")?.message).toMatch(
      /^different_context: /u,
    );
    git(work.root, "switch", "-q", "main");
    git(work.root, "commit", "-q", "--amend", "-m", "rewritten");
    expect(findingOf((await work.check()).findings, "state", "FAIL")?.message).toMatch(/^diverged: /u);
  });

  it("takes every committed path for changed since before the first commit", async () => {
    const work = await newWork();
    const path = state(work, "current.yaml");
    writeFileSync(path, readFileSync(path, "utf8").replace(/^head: .*$/mu, "head: NONE"));
    const { findings } = await work.check();
    expect(findingOf(findings, "state", "OK")?.message).toBe("unknown: recorded before the first commit");
    expect(faults(findings)).toEqual(["FAIL scope .gitignore", "FAIL scope README.md"]);
  });

  it("warns of a checkpoint that is due, and of one from the future", async () => {
    const work = await newWork();
    work.clock.forward(14);
    expect(faults((await work.check()).findings)).toEqual([]);
    work.clock.forward(1);
    expect(faults((await work.check()).findings)).toEqual([`WARN checkpoint ${work.task.id}`]);
    work.clock.forward(-60);
    expect(findingOf((await work.check()).findings, "checkpoint", "WARN")?.message).toContain(
      "in the future",
    );
  });

  it("warns of any unresolved question, and fails for one of its own task", async () => {
    const work = await newWork();
    const path = state(work, "open-questions.md");
    appendFileSync(path, "- [unresolved] t-20260101000000-aaaa — Whose? (2026-09-04)\n");
    expect(findingOf((await work.check()).findings, "blockers", "WARN")?.message).toBe(
      "1 unresolved question(s): Whose? (t-20260101000000-aaaa)",
    );
    addQuestion(await work.checkout(), "Which port?", {});
    expect(findingOf((await work.check()).findings, "blockers", "FAIL")?.message).toBe(
      `2 unresolved question(s), 1 of this task: Which port? (${work.task.id})`,
    );
  });

  it("fails for a mistyped question line, by its number", async () => {
    const work = await newWork();
    appendFileSync(state(work, "open-questions.md"), "- [unresolvd] t-1 — Which? (2026-09-04)\n");
    const { findings } = await work.check();
    expect(faults(findings)).toEqual([expect.stringMatching(/^FAIL questions open-questions\.md:\d+$/u)]);
    const finding = findingOf(findings, "questions", "FAIL");
    const line = Number(finding?.subject.split(":")[1]);
    expect(readFileSync(state(work, "open-questions.md"), "utf8").split("\n")[line - 1]).toContain(
      "unresolvd",
    );
  });

  it("warns of decisions without task, head or reason; text in comments is none", async () => {
    const work = await newWork();
    addDecision(await work.checkout(), { title: "Whole", why: "because" }, {});
    appendFileSync(
      state(work, "decisions.md"),
      "\n## 2026-09-04 — Half\nTask: t-1\nWhy:\n\n<!--\n## 2026-09-04 — Not here\n-->\n",
    );
    const { findings } = await work.check();
    expect(faults(findings)).toEqual([expect.stringMatching(/^WARN decisions decisions\.md:\d+$/u)]);
    expect(findingOf(findings, "decisions", "WARN")?.message).toBe("has no Head, no Why: Half");
  });

  it("fails for malformed and torn lines of the ledger, and keeps strange events as data", async () => {
    const work = await newWork();
    appendFileSync(
      state(work, "ledger.jsonl"),
      '{"ts":"2026-09-04T12:00:00Z","event":"new.kind"}\nnot json\n{"ts":"2026',
    );
    expect(faults((await work.check()).findings)).toEqual([
      "FAIL ledger ledger.jsonl:3",
      "FAIL ledger ledger.jsonl",
      "WARN ledger ledger.jsonl:2",
    ]);
  });

  it("fails for knowledge whose evidence is not there", async () => {
    const work = await newWork({ scope: ["."] });
    work.write(
      ".ai/repo/knowledge/curated/one-store.md",
      "---\nschema: knowledge/v1\nid: one-store\nkind: knowledge\nclass: constraint\ntitle: One store\n" +
        "description: Tokens live in one store.\nstatus: verified\nepistemics: decided\ndate: 2026-09-05\n" +
        "tags:\n  - auth\nprovenance:\n  origin: authored\n  derived_from:\n    - file:lib/callback.ts\n---\n\n# One store\n",
    );
    expect(findingOf((await work.check()).findings, "knowledge", "FAIL")).toMatchObject({
      subject: "one-store",
      message: expect.stringContaining("evidence file:lib/callback.ts does not resolve"),
    });
    work.write("lib/callback.ts", "1\n");
    expect(faults((await work.check()).findings)).toEqual([]);
  });

  it("enforces nothing of a task that ended, or of another checkout", async () => {
    const work = await newWork();
    work.write("outside.txt", "1\n");
    const path = state(work, "current.yaml");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace("outcome: active", "outcome: partial"));
    expect(faults((await work.check()).findings)).toEqual([`INFO state ${work.task.id}`]);
    writeFileSync(path, text.replace(/^worktree: .*$/mu, "worktree: /srv/app"));
    const foreign = await work.check();
    expect(faults(foreign.findings)).toEqual([`INFO state ${work.task.id}`]);
    expect(foreign.task.foreign).toBe(true);
    addQuestion(await work.checkout(), "Which port?", {});
    expect(faults((await work.check()).findings)).toContain("WARN blockers open-questions.md");
  });

  it("is refused without a task, and with something that is none", async () => {
    const place = await newPlace();
    const checkout = await place.checkout();
    const ask = () =>
      checkWork(
        checkout,
        {},
        { overlaps: () => ({ overlaps: [], unread: [] }), own: [], knowledge: () => [] },
      );
    await expect(ask()).rejects.toMatchObject({ code: "task.absent", exit: 12 });
    writeFileSync(checkout.layout.task, "id: ../../etc\n");
    await expect(ask()).rejects.toMatchObject({ code: "task.unreadable", exit: 12 });
  });

  it("moves the checkpoint, keeps every other byte, and says so in the ledger", async () => {
    const work = await newWork();
    const path = state(work, "current.yaml");
    writeFileSync(path, `${readFileSync(path, "utf8")}future_key: kept\n`);
    work.clock.forward(20);
    const checkout = await work.checkout();
    const answer = await checkWork(
      checkout,
      {},
      {
        overlaps: () => ({ overlaps: [], unread: [] }),
        own: [],
        knowledge: () => [],
        checkpoint: { session: "s-20260904120000-0001" },
      },
    );
    expect(answer.checkpoint_at).toBe("2026-09-04T12:20:00Z");
    expect(readFileSync(path, "utf8")).toContain("checkpoint_at: 2026-09-04T12:20:00Z\n");
    expect(readFileSync(path, "utf8")).toContain("future_key: kept\n");
    expect(readFileSync(state(work, "ledger.jsonl"), "utf8").trim().split("\n").at(-1)).toMatch(
      /"event":"task\.checkpoint",.*"session":"s-20260904120000-0001","task_id":"t-/u,
    );
    writeFileSync(path, readFileSync(path, "utf8").replace("outcome: active", "outcome: failed"));
    await expect(
      checkWork(
        checkout,
        {},
        {
          overlaps: () => ({ overlaps: [], unread: [] }),
          own: [],
          knowledge: () => [],
          checkpoint: { session: undefined },
        },
      ),
    ).rejects.toMatchObject({ exit: 15 });
  });

  it("compares the scope with the active task of another worktree", async () => {
    const work = await newWork({ scope: ["lib", "docs"] });
    const sibling = `${work.root}-sibling`;
    git(work.root, "worktree", "add", "-q", "-b", "lane", sibling);
    try {
      const text = readFileSync(state(work, "current.yaml"), "utf8")
        .replace(/^id: .*$/mu, "id: t-20260904120000-beef")
        .replace(/^worktree: .*$/mu, `worktree: ${sibling}`)
        .replace("  - docs\n", "  - docs/guide\n");
      const theirs = join(sibling, ".ai/local/state");
      mkdirSync(theirs, { recursive: true });
      writeFileSync(join(theirs, "current.yaml"), text);
      const { overlaps } = await work.check({ overlap: true });
      expect(overlaps?.map(({ path, relation, other }) => [path, relation, other])).toEqual([
        ["lib", "equal", "lib"],
        ["docs", "contains", "docs/guide"],
      ]);
      writeFileSync(join(theirs, "current.yaml"), text.replace("outcome: active", "outcome: weird"));
      const unread = await work.check({ overlap: true });
      expect(unread).toMatchObject({
        overlaps: [],
        overlaps_unread: [{ worktree: sibling, reason: expect.stringContaining("weird") }],
      });
    } finally {
      rmSync(sibling, { recursive: true, force: true });
    }
  });

  it("explains the policy and the profile of the task", async () => {
    const work = await newWork({ profile: "debugging" });
    const explained = await explainPolicy(await work.checkout());
    expect(explained).toMatchObject({ profile_name: "debugging", chosen_by: "task" });
    expect(explained.profile).toMatchObject({ verification: { regression_test_required: true } });
    expect(explained.policy).toMatchObject({ checkpoint: { max_body_lines: 40 } });
    await expect(explainPolicy(await work.checkout(), "nothing")).rejects.toMatchObject({ exit: 10 });
  });
});

describe("a check in a repository of a thousand records", () => {
  it("asks git three times at most", async () => {
    const work = await newWork();
    work.write("lib/a.ts", "1\n");
    commitFile(work.root, "lib/a.ts", "2\n");
    for (let number = 0; number < 1000; number += 1) {
      const name = `2026090${number % 9}T120000Z--main--abc1234--${number.toString(16).padStart(16, "0")}.md`;
      work.write(
        `.ai/local/state/handovers/${name}`,
        `---\nschema_version: 1\ncreated_at: 2026-09-04T12:00:00Z\ntask_id: none\nhead: NONE\n---\n\n# Objective\n`,
      );
    }
    const log = join(work.root, ".git", "calls");
    const PATH = pathWithGit(
      join(work.root, ".git", "bin"),
      `echo "$*" >> "${log}"\nexec "${REAL_GIT}" "$@"`,
    );
    Object.assign(work.surroundings.environment, { PATH });
    expect(faults((await work.check()).findings)).toEqual([]);
    expect(readFileSync(log, "utf8").trim().split("\n").length).toBeLessThanOrEqual(3);
  });
});
