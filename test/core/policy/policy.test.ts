import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parsePolicy } from "../../../src/core/policy/policy.ts";
import { fieldsOf, refusalOf } from "./settings-yaml.ts";

const FIXTURE = new URL("../../fixtures/original/repo/policy.yaml", import.meta.url);

describe("a policy of the original", () => {
  it("is accepted, with what it says and the defaults of what it does not", () => {
    const policy = parsePolicy(fieldsOf(readFileSync(FIXTURE, "utf8")), "policy.yaml");
    expect(policy.session.ensure_server_on_start).toBe(false);
    expect(policy.session.stranded_after).toBe("12h");
    expect(policy.session.handover_on_fill).toBe(false);
    expect(policy.session.record_sections).toHaveLength(5);
    expect(policy.session.freshness).toEqual({ fresh_minutes: 720, stale_minutes: 2880 });
    expect(policy.enforcement).toEqual([
      { name: "doctor-on-commit", path: "majordomus", args: ["doctor"], wired_by: "git-hook:pre-commit" },
    ]);
    expect(policy.projections[0]).toEqual({
      provider: "claude-code",
      target: "CLAUDE.md",
      mode: "region",
      always_loaded: true,
    });
  });

  it("keeps the blocks that continuity does not use as they are", () => {
    const policy = parsePolicy(
      fieldsOf(
        "benchmark: {samples: 10}\nuse_cases:\n  coverage:\n    minimum: 3\ncommit: {}\nintent:\n  a: [1]\n",
      ),
      "policy.yaml",
    );
    expect(policy.benchmark).toEqual({ samples: 10 });
    expect(policy.use_cases).toEqual({ coverage: { minimum: 3 } });
    expect(policy.commit).toEqual({});
    expect(policy.intent).toEqual({ a: [1] });
  });
});

describe("an empty policy", () => {
  it("has every default, and none where a default would be a claim", () => {
    const policy = parsePolicy(fieldsOf(""), "policy.yaml");
    expect(policy.context).toEqual({
      always_loaded_budget_lines: 150,
      builder_budget_lines: 300,
      recent_decisions: 5,
      max_list_items: 20,
      strategy: "minimum-sufficient",
      transcript_is_state: false,
    });
    expect(policy.session.stranded_after).toBeUndefined();
    expect(policy.session.freshness).toEqual({});
    expect(policy.prompts).toEqual({});
    expect(policy.session.commit_record_on_end).toBe(false);
    expect(policy.session.briefing_budget_lines).toBe(60);
    expect(policy.ledger.retention_max_lines).toBe(5000);
  });
});

describe("the briefing", () => {
  it.each([
    ["session:\n  briefing_on_start: false\n", false],
    ['session:\n  briefing_on_start: "false"\n', false],
    ["session:\n  briefing_on_start: no\n", true],
    ["session:\n  briefing_on_start: 0\n", true],
    ["session: {}\n", true],
  ])("of %j is on unless it is literally false", (text, on) => {
    expect(parsePolicy(fieldsOf(text), "policy.yaml").session.briefing_on_start).toBe(on);
  });

  it("takes the always-loaded budget where it has none of its own", () => {
    const shared = "context:\n  always_loaded_budget_lines: 33\n";
    expect(parsePolicy(fieldsOf(shared), "p").session.briefing_budget_lines).toBe(33);
    const own = `${shared}session:\n  briefing_budget_lines: 7\n  knowledge_on_end: false\n`;
    expect(parsePolicy(fieldsOf(own), "p").session.briefing_budget_lines).toBe(7);
    expect(parsePolicy(fieldsOf(own), "p").session.knowledge_on_end).toBe(false);
  });
});

describe("a policy is refused", () => {
  it.each([
    ["session:\n  frobnicate: 1\n", "unknown key session.frobnicate"],
    ["frobnicate: 1\n", "unknown key frobnicate"],
    ["__proto__:\n  a: 1\n", "unknown key __proto__"],
    ["session:\n  freshness:\n    hours: 1\n", "unknown key session.freshness.hours"],
    ["session:\n  stranded_after: 12\n", "session.stranded_after must be text"],
    ["session:\n  stranded_after: 12d\n", "session.stranded_after must be a duration such as 15m or 12h"],
    ["session:\n  handover_on_end: maybe\n", "session.handover_on_end must be true or false"],
    ["ledger:\n  retention_max_lines: 0\n", "ledger.retention_max_lines must be at least 1"],
    ["ledger:\n  retention_max_lines: 1.5\n", "ledger.retention_max_lines must be a whole number"],
    ["ledger: 5\n", "ledger must be a map"],
    ["- a\n", "the file must be a map"],
    ["version: 2\n", "version must be 1"],
    ["session:\n  record_sections: []\n", "session.record_sections must be a list of at least 1"],
    ["enforcement:\n  - name: x\n    path: y\n", "missing key enforcement.0.wired_by"],
    [
      "projections:\n  - provider: x\n    target: y\n    mode: none\n",
      "projections.0.mode must be file or region",
    ],
  ])("%j", (text, message) => {
    const refusal = refusalOf(() => parsePolicy(fieldsOf(text), "policy.yaml"));
    expect(refusal.exit).toBe(10);
    expect(refusal.subject).toBe("policy.yaml");
    expect(refusal.message).toBe(message);
  });

  it("naming every fault at once", () => {
    const text = "session:\n  a: 1\n  b: 2\nledger: 5\n";
    expect(refusalOf(() => parsePolicy(fieldsOf(text), "policy.yaml")).message).toBe(
      "ledger must be a map; unknown key session.a; unknown key session.b",
    );
  });
});
