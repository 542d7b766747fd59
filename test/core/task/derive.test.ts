import { describe, expect, it } from "vitest";
import { deriveCheckpoint } from "../../../src/core/task/derive-checkpoint.ts";
import { deriveHandover } from "../../../src/core/task/derive-handover.ts";
import type { WorkFacts } from "../../../src/core/task/work-facts.ts";
import { findIdentityLine } from "../../../src/core/records/work-record.ts";
import { missingSections } from "../../../src/core/records/body-sections.ts";

const REQUIRED = ["Objective", "Current State", "Next Action"];
const [START, HEAD] = ["1".repeat(40), "f".repeat(40)];

const commit = (number: number, subject = `Do ${number}`) => ({
  id: String(number).padStart(40, "0"),
  short: String(number).padStart(7, "0"),
  subject,
});

const FACTS: WorkFacts = {
  branch: "main",
  head: HEAD,
  workingTree: "dirty",
  task: {
    id: "t-20260904153800-0a1b",
    task: "split the parser",
    profile: "debugging",
    owner: "dev",
    scope: ["lib", "test"],
    started_at: "",
    checkpoint_at: "",
    outcome: "active",
    repository_id: "",
    worktree: "",
    branch: "main",
    head: START,
    working_tree: "clean",
  },
  episode: { sessionId: "s-20260904120000-0001", branch: "main", startHead: START },
  since: { head: START, branch: "main", what: "the task started" },
  moved: { divergence: "advanced", reason: "an ancestor of HEAD" },
  commits: { state: "ok", commits: [commit(1), commit(2)] },
  changedFiles: ["lib/a.ts"],
  lines: [],
  questions: [],
  decisions: [],
  checkpoint: undefined,
  finished: undefined,
  limits: { items: 20, decisions: 5, checkpointLines: 40 },
  doubts: {
    task: undefined,
    questions: undefined,
    decisions: undefined,
    checkpoint: undefined,
    committed: undefined,
  },
};

describe("a derived checkpoint", () => {
  it("is exactly this", () => {
    const questions = [{ task: "none", question: "q", date: "2026-09-04" }];
    expect(deriveCheckpoint({ ...FACTS, questions })).toBe(
      [
        "At fffffff on main, working tree dirty; 1 file(s) changed since the task started.",
        "- 0000002 Do 2",
        "- 0000001 Do 1",
        "1 open question(s) block acceptance of completed work.",
        "Derived, not authored: from git and the ledger alone.",
        "",
      ].join("\n"),
    );
  });

  it.each([1, 2, 3, 4, 5, 8, 40])("has at most max(2, %i) lines, and counts what it leaves out", (lines) => {
    const commits = Array.from({ length: 30 }, (_, number) => commit(number));
    const limits = { ...FACTS.limits, checkpointLines: lines };
    const body = deriveCheckpoint({ ...FACTS, commits: { state: "ok", commits }, limits });
    const printed = body.trimEnd().split("\n");
    expect(printed.length).toBeLessThanOrEqual(Math.max(2, lines));
    expect(printed.at(-1)).toContain("Derived, not authored");
    if (lines >= 4) expect(body).toMatch(/- \.\.\. and \d+ more commit\(s\)/);
  });

  it("does not count what it could not look at as unchanged", () => {
    const doubts = { ...FACTS.doubts, committed: "HEAD has left it behind" };
    const since =
      "1 file(s) changed in the working tree, and it is unknown what was committed since the task started";
    expect(deriveCheckpoint({ ...FACTS, doubts })).toContain(`; ${since}.\n`);
    expect(deriveHandover({ ...FACTS, doubts }, ["Current State"])).toContain(`\n${since}:\n\n- lib/a.ts\n`);
  });

  it("says why commits cannot be listed", () => {
    const body = deriveCheckpoint({
      ...FACTS,
      commits: { state: "diverged", reason: "history was rewritten" },
    });
    expect(body).toContain("Commits cannot be listed: history was rewritten.");
  });
});

describe("what could not be read", () => {
  const doubts = {
    task: "the task is odd",
    questions: "the index is odd",
    decisions: "the log is odd",
    checkpoint: undefined,
    committed: undefined,
  };

  it("stands in a derived checkpoint within its lines", () => {
    const commits = Array.from({ length: 30 }, (_, number) => commit(number));
    const limits = { ...FACTS.limits, checkpointLines: 6 };
    const facts = { ...FACTS, task: undefined, commits: { state: "ok" as const, commits }, limits, doubts };
    const printed = deriveCheckpoint(facts).trimEnd().split("\n");
    expect(printed).toHaveLength(6);
    expect(printed.slice(-3)).toEqual([
      "Unknown: the task is odd.",
      "Unknown: the index is odd.",
      "Derived, not authored: from git and the ledger alone.",
    ]);
  });

  it("stands in a derived handover in the place of none, and comes first in what is next", () => {
    const body = deriveHandover({ ...FACTS, task: undefined, doubts }, REQUIRED);
    expect(body).not.toMatch(/None (?:open|recorded)\.|No task was active/u);
    const { task, questions, decisions } = doubts;
    for (const doubt of [task, questions, decisions]) expect(body).toContain(`\nUnknown: ${doubt}.\n`);
    expect(body).toContain(
      "# Next Action\n\nPut it right first: the task is odd.\nPut it right first: the index is odd.\n",
    );
    expect(missingSections(body, REQUIRED)).toEqual([]);
  });
});

describe("a derived handover", () => {
  it("has every required section filled, then the optional ones, then its provenance; twice the same", () => {
    const body = deriveHandover(FACTS, REQUIRED);
    expect(missingSections(body, REQUIRED)).toEqual([]);
    expect(body.match(/^# .*$/gm)).toEqual([
      "# Objective",
      "# Current State",
      "# Next Action",
      "# Decisions",
      "# Open Questions",
      "# Verification",
    ]);
    expect(body).toContain("Derived by `majordomus handover --derive`");
    expect(body).toContain("no model wrote it");
    expect(body).toContain("Profile debugging. Declared scope: lib, test.");
    expect(deriveHandover(FACTS, REQUIRED)).toBe(body);
  });

  it("keeps the policy's order, and refuses a section that nothing derives", () => {
    const body = deriveHandover(FACTS, ["Verification", "Objective"]);
    expect(body.match(/^# .*$/gm)?.slice(0, 2)).toEqual(["# Verification", "# Objective"]);
    expect(() => deriveHandover(FACTS, ["Objective", "Mood"])).toThrow(
      expect.objectContaining({ exit: 10, subject: "Mood" }),
    );
  });

  it.each(["head: abc", "# Next Action", "<placeholder>", "- item", "---", "branch: x"])(
    "takes %j as a task's text without posing as anything else",
    (task) => {
      const own = FACTS.task;
      if (own === undefined) throw new Error("no task");
      const body = deriveHandover({ ...FACTS, task: { ...own, task } }, REQUIRED);
      expect(findIdentityLine(body)).toBeUndefined();
      expect(missingSections(body, REQUIRED)).toEqual([]);
      expect(body).toContain(`Task: ${task}`);
    },
  );

  it("asks for answers first, and caps its lists with a count", () => {
    const questions = Array.from({ length: 25 }, (_, index) => ({
      task: "none",
      question: `Question ${index}?`,
      date: "2026-09-04",
    }));
    const changedFiles = Array.from({ length: 23 }, (_, index) => `lib/${index}`);
    const decisions = Array.from({ length: 9 }, (_, index) => ({
      heading: `2026-09-04 — D${index}`,
      title: `D${index}`,
      line: index,
    }));
    const body = deriveHandover({ ...FACTS, questions, changedFiles, decisions }, REQUIRED);
    expect(body).toContain("Answer the open questions first");
    expect(body).toContain("- ... and 5 more question(s)");
    expect(body).toContain("- ... and 3 more file(s)");
    expect(body).toContain("- 2026-09-04 — D8");
    expect(body).not.toContain("D3\n");
    expect(body).toContain("- ... and 4 more decision(s)");
  });

  it("quotes a checkpoint so that its headings are none", () => {
    const body = deriveHandover({ ...FACTS, checkpoint: "# Objective\nhead: x\nNext: test" }, REQUIRED);
    expect(body).toContain("> # Objective\n> head: x\n> Next: test");
    expect(findIdentityLine(body)).toBeUndefined();
  });

  it.each(["completed", "failed", "blocked", "partial", "no_match"] as const)(
    "says of a task that ended %s that none is active",
    (outcome) => {
      const own = FACTS.task;
      if (own === undefined) throw new Error("no task");
      const body = deriveHandover({ ...FACTS, task: { ...own, outcome } }, REQUIRED);
      expect(body).toContain(`ended ${outcome}:`);
    },
  );
});
