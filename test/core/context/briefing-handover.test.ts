import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { composeBriefing } from "../../../src/core/context/briefing.ts";
import type { BriefingFacts } from "../../../src/core/context/briefing.ts";
import type { LabelledRecord } from "../../../src/core/ledger/labelled-record.ts";

const HEAD = "3f2a9c1d3f2a9c1d3f2a9c1d3f2a9c1d3f2a9c1d";
const PATH = ".ai/local/state/handovers/20260904T120000Z--main--3f2a9c1--0123456789abcdef.md";
const WIDE = { lines: 60, bytes: 6000 };

function handover(nextAction: string, more: Partial<LabelledRecord> = {}): LabelledRecord {
  return {
    path: PATH,
    name: "",
    record: {
      created_at: "2026-09-04T11:42:00Z",
      task_id: "none",
      profile: "none",
      owner: "dev",
      repository_id: "",
      worktree: "",
      branch: "main",
      head: HEAD,
      changed_files: [],
      body: `# Objective\na\n\n# Current State\nb\n\n# Next Action\n${nextAction}\n`,
    },
    tier: "same_worktree_same_branch",
    divergence: "exact",
    divergenceReason: "recorded at this very commit",
    freshness: "fresh",
    freshnessReason: "18m old; fresh until 12h",
    ageMinutes: 18,
    history: false,
    ...more,
  };
}

const FACTS: BriefingFacts = {
  now: Date.parse("2026-09-04T12:00:00Z"),
  episode: { sessionId: "s-20260904120000-0001" },
  branch: "main",
  head: HEAD,
  workingTree: "clean",
  blockers: [],
  notices: [],
};

const first2000 = (text: string): string => Buffer.from(text).subarray(0, 2000).toString("utf8");

describe("a briefing with a handover", () => {
  it("names it with both labels and its age, and quotes what it says to do", () => {
    const text = composeBriefing({ ...FACTS, handover: handover("Write the test.\n\nThen run it.") }, WIDE);
    expect(text).toContain(
      `Handover ${PATH} (same_worktree_same_branch, exact, fresh, 18m ago).\nIts Next Action:\n  Write the test.\n\n  Then run it.\n`,
    );
  });

  it.each([
    ["diverged", "History was rewritten since: trust git, not the record."],
    ["different_context", "It was written on another branch: it is not about this work."],
  ] as const)("warns of one that is %s, and still quotes it", (divergence, warning) => {
    const text = composeBriefing({ ...FACTS, handover: handover("Go on.", { divergence }) }, WIDE);
    expect(text).toContain(warning);
    expect(text).toContain("  Go on.");
  });

  it.each([
    ["stale", "6d old; stale from 48h", 8640],
    ["invalid", "the timestamp is 3h in the future", undefined],
  ] as const)(
    "speaks of a %s one as history, and quotes nothing of it",
    (freshness, freshnessReason, ageMinutes) => {
      const historical = handover("Delete the branch.", {
        freshness,
        freshnessReason,
        ageMinutes,
        history: true,
      });
      const text = composeBriefing({ ...FACTS, handover: historical }, WIDE);
      expect(text).toContain(`Historical handover ${PATH} (same_worktree_same_branch, exact).`);
      expect(text).toContain(`It is ${freshness}: ${freshnessReason}.`);
      expect(text).not.toContain("Its Next Action");
      expect(text).not.toContain("Delete the branch.");
    },
  );

  it("says that there is none", () => {
    expect(composeBriefing(FACTS, WIDE)).toContain("No relevant handover for this worktree and branch.");
  });

  it("quotes at most twelve lines, and says how many are left", () => {
    const lines = Array.from({ length: 20 }, (_, index) => `step ${index}`);
    const text = composeBriefing({ ...FACTS, handover: handover(lines.join("\n")) }, WIDE);
    expect(text).toContain("  step 11\n");
    expect(text).not.toContain("step 12");
    expect(text).toContain(`  ... and 8 more line(s) in ${PATH}\n`);
  });

  it("keeps blockers and next action within the first 2,000 bytes, whatever their size and script", () => {
    const wide = "界".repeat(20_000);
    const facts: BriefingFacts = {
      ...FACTS,
      branch: `feature/${"ü".repeat(200)}`,
      episode: { sessionId: "s-20260904120000-0001", continues: "s-20260903120000-0001" },
      task: {
        id: "t-20260904120000-0001",
        outcome: "active",
        profile: wide,
        title: wide,
        scope: [wide, wide],
      },
      server: wide,
      blockers: Array.from({ length: 30 }, (_, index) => `${index} ${wide}`),
      handover: handover(Array.from({ length: 40 }, (_, index) => `${index} ${wide}`).join("\n"), {
        divergence: "diverged",
      }),
      notices: Array.from({ length: 500 }, () => wide),
    };
    const text = composeBriefing(facts, WIDE);
    const early = first2000(text);
    expect(early).toContain("BLOCKED: 30 open question(s)");
    expect(early).toContain("  4 界");
    expect(early).toContain("  ... and 25 more question(s)");
    expect(early).toContain("Its Next Action:\n  0 界");
    expect(early).toMatch(/\.\.\. and \d+ more line\(s\) in \.ai\//);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(WIDE.bytes);
    expect(text).not.toContain("\ufffd");
    expect(text.endsWith("\n")).toBe(true);
  });

  it("never passes its budgets and never shows a control, whatever the record holds", () => {
    const noise = fc.string({ unit: "binary", maxLength: 3000 });
    fc.assert(
      fc.property(noise, noise, fc.array(noise, { maxLength: 8 }), (next, title, blockers) => {
        const task = { id: "t-1", outcome: "active", title, scope: [title] };
        const text = composeBriefing({ ...FACTS, task, blockers, handover: handover(next) }, WIDE);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(WIDE.bytes);
        expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(WIDE.lines + 1);
        // oxlint-disable-next-line no-control-regex
        expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202e]/);
        if (blockers.length > 0) expect(first2000(text)).toContain("BLOCKED:");
      }),
      { numRuns: 60 },
    );
  });
});
