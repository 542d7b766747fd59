import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { defaultManifestText } from "../../../src/core/policy/manifest.ts";
import { defaultPolicyText } from "../../../src/core/policy/policy-text.ts";
import { parsePolicy } from "../../../src/core/policy/policy.ts";
import { defaultProfileTexts } from "../../../src/core/policy/profile-texts.ts";
import { parseProfile } from "../../../src/core/policy/profile.ts";
import { defaultSwitches, parseSwitches } from "../../../src/core/policy/switches.ts";
import { fieldsOf, refusalOf } from "./settings-yaml.ts";

const PROFILES = new URL("../../fixtures/original/repo/profiles/", import.meta.url);

/** A line of the subset that the original's shell reads (records.md 1.6). */
const SUBSET_LINE = /^(?: {2})*(?:- \S.*|[a-z_-]+:(?: [^{}&*|>\t]+)?)?$/;

describe("the files that init writes", () => {
  const texts = [
    ["manifest", defaultManifestText()],
    ["policy", defaultPolicyText()],
    ...defaultProfileTexts(),
  ] as const;

  it.each(texts)("stay in the YAML subset of the original: %s", (_name, text) => {
    expect(text.endsWith("\n")).toBe(true);
    for (const line of text.split("\n")) expect(line).toMatch(SUBSET_LINE);
  });
});

describe("the policy of a fresh layer", () => {
  it("says the defaults aloud, and what has none", () => {
    const policy = parsePolicy(fieldsOf(defaultPolicyText()), "policy.yaml");
    const silent = parsePolicy({}, "policy.yaml");
    expect(policy).toEqual({
      ...silent,
      session: {
        ...silent.session,
        stranded_after: "12h",
        freshness: { fresh_minutes: 720, stale_minutes: 2880 },
      },
      prompts: { retention_max_days: 90, retention_max_bytes: 52_428_800 },
    });
    expect(defaultPolicyText()).not.toMatch(/^(?:enforcement|projections):/m);
    expect(defaultPolicyText()).toContain("commit_record_on_end: false");
  });
});

describe("the profiles of a fresh layer", () => {
  it("are the four of the table", () => {
    const profiles = [...defaultProfileTexts()].map(([name, text]) => {
      const profile = parseProfile(fieldsOf(text), `${name}.yaml`);
      expect(profile.name).toBe(name);
      const { verify_command_required, regression_test_required, decision_record_required } =
        profile.verification;
      return [
        profile.name,
        `${profile.capability}/${profile.effort}`,
        `${profile.verbosity}/${profile.presentation}`,
        profile.context.recent_history_depth,
        [verify_command_required, regression_test_required, decision_record_required],
        profile.checkpoint_interval,
      ];
    });
    expect(profiles).toEqual([
      ["routine", "fast/low", "terse/machine", 0, [false, false, false], "30m"],
      ["implementation", "standard/medium", "concise/engineering", 20, [true, false, false], "15m"],
      ["debugging", "strong/high", "concise/engineering", 50, [true, true, false], "15m"],
      ["deep-work", "strongest/high", "detailed/engineering", 200, [true, false, true], "30m"],
    ]);
  });

  it.each(["debugging", "implementation"])("take over from the original's %s", (name) => {
    const text = readFileSync(new URL(`${name}.yaml`, PROFILES), "utf8");
    const profile = parseProfile(fieldsOf(text), name);
    expect(profile.effort_escalation).toEqual({ after_blocked_attempts: 2, to: "xhigh" });
    expect(profile.output_contract).toEqual(["outcome", "changes"]);
  });
});

describe("a profile is refused", () => {
  it.each([
    ["description: x\n", "missing key name"],
    ["name: x\nmodel: big\n", "unknown key model"],
    ["name: x\neffort: huge\n", "effort must be low or medium or high or xhigh or max"],
    ["name: x\ncheckpoint_interval: 15\n", "checkpoint_interval must be text"],
    ["name: x\ncontext:\n  recent_history_depth: -1\n", "context.recent_history_depth must be at least 0"],
  ])("%j", (text, message) => {
    expect(refusalOf(() => parseProfile(fieldsOf(text), "x.yaml"))).toMatchObject({ exit: 10, message });
  });
});

describe("our own switches", () => {
  it("have a default each", () => {
    expect(defaultSwitches()).toEqual({
      schema: "majordomus-switches/v1",
      precompact_note: false,
      prompt_journal: false,
      handover_closes_task: false,
      durability: "normal",
      live: { poll_seconds: 2 },
      hooks: { lock_wait_ms: 500 },
      server: { idle_seconds: 900, port: 8741 },
      sync: { timeout_seconds: 30 },
    });
  });

  it("are taken one by one", () => {
    const text = "schema: majordomus-switches/v1\ndurability: full\nlive:\n  poll_seconds: 5\n";
    const switches = parseSwitches(fieldsOf(text), "majordomus.yaml");
    expect(switches.durability).toBe("full");
    expect(switches.live.poll_seconds).toBe(5);
  });

  it.each([
    ["schema: majordomus-switches/v2\n", "schema must be majordomus-switches/v1"],
    ["hooks:\n  wait: 1\n", "unknown key hooks.wait"],
    ["durability: some\n", "durability must be normal or full"],
  ])("are refused: %j", (text, message) => {
    expect(refusalOf(() => parseSwitches(fieldsOf(text), "majordomus.yaml"))).toMatchObject({
      exit: 10,
      message,
    });
  });
});
