import { describe, expect, it } from "vitest";
import type { FinishOutcome } from "../../../../src/core/health/answers.ts";
import { judgeContract, termsOf } from "../../../../src/core/health/gate/finish-clauses.ts";
import type { FinishFacts, FinishTerms } from "../../../../src/core/health/gate/finish-clauses.ts";
import { parsePolicy } from "../../../../src/core/policy/policy.ts";
import { parseProfile } from "../../../../src/core/policy/profile.ts";

const TERMS: FinishTerms = {
  required: new Set([
    "scope_respected",
    "verification_ran",
    "state_updated",
    "no_open_blockers",
    "note_present",
  ]),
  sections: ["Objective", "Current State", "Next Action"],
  verifyAlways: true,
  verifyChanges: true,
  regression: true,
  decision: true,
};

const WHOLE = "# Objective\na\n# Current State\nb\n# Next Action\nc\n# Reason\nd\n";

const FACTS: FinishFacts = {
  outcome: "completed",
  label: { divergence: "advanced", reason: "an ancestor of HEAD", trusted: true },
  changed: { paths: ["lib/a.ts", "test/a.test.ts"], outside: [], exempt: 0 },
  verify: { command: "npm test", exit: 0, seconds: 3 },
  blockers: { open: [] },
  note: { from: "the note", body: WHOLE },
  decided: true,
};

type Verdicts = Record<string, string>;

function verdicts(facts: Partial<FinishFacts> = {}, terms: Partial<FinishTerms> = {}): Verdicts {
  const clauses = judgeContract("t-1", { ...FACTS, ...facts }, { ...TERMS, ...terms });
  return Object.fromEntries(clauses.map(({ id, verdict }) => [id, verdict]));
}

function message(id: string, facts: Partial<FinishFacts>, terms: Partial<FinishTerms> = {}): string {
  const clauses = judgeContract("t-1", { ...FACTS, ...facts }, { ...TERMS, ...terms });
  return clauses.find((clause) => clause.id === id)?.finding.message ?? "";
}

const OTHERS: FinishOutcome[] = ["partial", "blocked", "no_match", "failed"];

describe("the finish contract", () => {
  it("is kept when every clause is met, in a fixed order", () => {
    expect(Object.entries(verdicts())).toEqual([
      ["scope_respected", "pass"],
      ["verification_ran", "pass"],
      ["state_updated", "pass"],
      ["no_open_blockers", "pass"],
      ["note_present", "pass"],
      ["regression_test", "pass"],
      ["decision_recorded", "pass"],
    ]);
  });

  it.each(["completed", ...OTHERS] as const)("asks scope, state and note of %s", (outcome) => {
    const missed = verdicts({
      outcome,
      changed: { paths: ["x"], outside: ["x"], exempt: 0 },
      label: { divergence: "diverged", reason: "not in the history of HEAD", trusted: false },
      note: undefined,
    });
    expect(missed).toMatchObject({ scope_respected: "fail", state_updated: "fail", note_present: "fail" });
  });

  it.each(OTHERS)("asks neither verification nor blockers nor tests nor decisions of %s", (outcome) => {
    expect(
      verdicts({
        outcome,
        verify: undefined,
        blockers: { open: [{ task: "t-2", question: "Which?" }] },
        changed: { paths: ["lib/a.ts"], outside: [], exempt: 0 },
        decided: false,
      }),
    ).toMatchObject({
      verification_ran: "skipped",
      no_open_blockers: "skipped",
      regression_test: "skipped",
      decision_recorded: "skipped",
    });
  });

  it("is refused by a question of any task, and says which", () => {
    const blockers = { open: [{ task: "t-2", question: "Which port?" }] };
    expect(verdicts({ blockers })["no_open_blockers"]).toBe("fail");
    expect(message("no_open_blockers", { blockers })).toBe("1 unresolved question(s): Which port? (t-2)");
    expect(verdicts({ blockers: { reason: "line 4 may hide one" } })["no_open_blockers"]).toBe("fail");
    const [info] = judgeContract("t-1", { ...FACTS, outcome: "blocked", blockers }, TERMS, [
      "no_open_blockers",
    ]);
    expect(info?.finding).toMatchObject({ level: "INFO", category: "blockers" });
  });

  it.each([
    ["completed", "# Objective\na\n# Current State\nb\n", "missing or empty section(s): Next Action"],
    ["completed", "# Objective\n<what>\n# Current State\n\n# Next Action\nc\n", "Objective, Current State"],
    ["partial", "# Reason\nd\n", "Next Action"],
    ["blocked", "# Objective\na\n", "Next Action"],
    ["no_match", "# Next Action\nc\n", "Reason"],
    ["failed", "# Reason\n<why>\n", "Reason"],
    ["completed", `${WHOLE}\nbranch: main\n`, "states what git says"],
  ] as const)("refuses %s with the note %j", (outcome, body, said) => {
    const note = { from: "the note", body };
    expect(verdicts({ outcome, note })["note_present"]).toBe("fail");
    expect(message("note_present", { outcome, note })).toContain(said);
  });

  it.each([
    ["partial", "# Next Action\nc\n"],
    ["blocked", "# Next Action\nc\n"],
    ["no_match", "# Reason\nd\n"],
    ["failed", "# Reason\nd\n"],
  ] as const)("takes for %s the note %j", (outcome, body) => {
    expect(verdicts({ outcome, note: { from: "the note", body } })["note_present"]).toBe("pass");
  });

  it("wants a verification where profile or policy ask for one", () => {
    const none = { verify: undefined };
    expect(verdicts(none)["verification_ran"]).toBe("fail");
    expect(verdicts(none, { verifyAlways: false })["verification_ran"]).toBe("fail");
    expect(verdicts(none, { verifyAlways: false, verifyChanges: false })["verification_ran"]).toBe("skipped");
    const unchanged = { ...none, changed: { paths: [], outside: [], exempt: 0 } };
    expect(verdicts(unchanged, { verifyAlways: false })["verification_ran"]).toBe("skipped");
    const verify = { command: "npm test", exit: 1, seconds: 2 };
    expect(message("verification_ran", { verify })).toBe("`npm test` ended with 1 after 2 s");
    expect(verdicts({ verify: { ...verify, exit: 124, stopped: "was cancelled" } })["verification_ran"]).toBe(
      "fail",
    );
  });

  it("judges a command that was given even where nobody asked for one", () => {
    const verify = { command: "false", exit: 1, seconds: 0 };
    expect(verdicts({ verify }, { required: new Set() })["verification_ran"]).toBe("fail");
    expect(verdicts({}, { required: new Set() })).toMatchObject({
      scope_respected: "skipped",
      state_updated: "skipped",
      no_open_blockers: "skipped",
      note_present: "skipped",
    });
  });

  it.each(["test/a.ts", "spec/a.rb", "pkg/a_test.go", "src/a.spec.ts"])("knows %s for a test", (path) => {
    expect(verdicts({ changed: { paths: [path], outside: [], exempt: 0 } })["regression_test"]).toBe("pass");
  });

  it("says how crude the look for a test is", () => {
    const changed = { paths: ["lib/latest.ts"], outside: [], exempt: 0 };
    expect(verdicts({ changed })["regression_test"]).toBe("fail");
    expect(message("regression_test", { changed })).toContain("crude");
    expect(verdicts({ changed }, { regression: false })["regression_test"]).toBe("skipped");
  });

  it("wants a decision of the task where the profile asks for one", () => {
    expect(verdicts({ decided: false })["decision_recorded"]).toBe("fail");
    expect(verdicts({ decided: false }, { decision: false })["decision_recorded"]).toBe("skipped");
    const unread = { decided: { reason: "the decision log cannot be read" } };
    expect(verdicts(unread)["decision_recorded"]).toBe("fail");
    expect(message("decision_recorded", unread)).toContain("cannot be read");
  });
});

describe("the terms", () => {
  it("come from policy and profile, and name what they do not know", () => {
    const policy = parsePolicy(
      { verification: { finish_requires: ["scope_respected", "tea"] } },
      "policy.yaml",
    );
    const profile = parseProfile({ name: "x", verification: { regression_test_required: true } }, "x.yaml");
    const { terms, unknown } = termsOf(policy, profile);
    expect(unknown).toEqual(["tea"]);
    expect(terms).toMatchObject({
      regression: true,
      decision: false,
      verifyAlways: false,
      verifyChanges: true,
    });
  });
});
