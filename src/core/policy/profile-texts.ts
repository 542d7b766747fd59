import type { Profile } from "./profile.ts";

const SHALLOW: Profile["context"] = {
  task: true,
  current_state: true,
  decisions: false,
  relevant_files: false,
  failing_output: false,
  recent_history_depth: 0,
  architecture_notes: false,
};
const WORKING: Profile["context"] = {
  ...SHALLOW,
  decisions: true,
  relevant_files: true,
  recent_history_depth: 20,
};
const FAILING: Profile["context"] = { ...WORKING, failing_output: true, recent_history_depth: 50 };

const UNVERIFIED: Profile["verification"] = {
  verify_command_required: false,
  regression_test_required: false,
  decision_record_required: false,
};
const VERIFIED: Profile["verification"] = { ...UNVERIFIED, verify_command_required: true };

/** The four profiles of a fresh layer (work.md, Profiles). */
const DEFAULT_PROFILES: readonly Profile[] = [
  {
    name: "routine",
    description: "a small, well understood change",
    capability: "fast",
    effort: "low",
    verbosity: "terse",
    presentation: "machine",
    context: SHALLOW,
    verification: UNVERIFIED,
    checkpoint_interval: "30m",
    output_contract: ["outcome"],
  },
  {
    name: "implementation",
    description: "build a described change",
    capability: "standard",
    effort: "medium",
    verbosity: "concise",
    presentation: "engineering",
    context: WORKING,
    verification: VERIFIED,
    checkpoint_interval: "15m",
    output_contract: ["outcome", "changes", "verification"],
  },
  {
    name: "debugging",
    description: "reproduce, isolate and fix a defect, and prove it fixed",
    capability: "strong",
    effort: "high",
    verbosity: "concise",
    presentation: "engineering",
    context: FAILING,
    verification: { ...VERIFIED, regression_test_required: true },
    checkpoint_interval: "15m",
    output_contract: ["cause", "outcome", "changes", "verification"],
  },
  {
    name: "deep-work",
    description: "a change whose design has to be found first",
    capability: "strongest",
    effort: "high",
    effort_escalation: { after_blocked_attempts: 2, to: "xhigh" },
    verbosity: "detailed",
    presentation: "engineering",
    context: { ...FAILING, recent_history_depth: 200, architecture_notes: true },
    verification: { ...VERIFIED, decision_record_required: true },
    checkpoint_interval: "30m",
    output_contract: ["outcome", "decisions", "changes", "verification", "risks"],
  },
];

/** The texts of the profiles that `init` writes, by name. */
export function defaultProfileTexts(): Map<string, string> {
  return new Map(DEFAULT_PROFILES.map((profile) => [profile.name, profileText(profile)]));
}

/** A profile as a file in the YAML subset of the records: two blanks a level, one key a line. */
function profileText(profile: Profile): string {
  const lines = Object.entries(profile).flatMap(([key, value]) => memberLines(key, value, ""));
  return `${lines.join("\n")}\n`;
}

function memberLines(key: string, value: unknown, indent: string): string[] {
  if (Array.isArray(value))
    return [`${indent}${key}:`, ...value.map((item) => `${indent}  - ${String(item)}`)];
  if (typeof value !== "object" || value === null) return [`${indent}${key}: ${String(value)}`];
  const inner = Object.entries(value).flatMap(([name, member]) => memberLines(name, member, `${indent}  `));
  return [`${indent}${key}:`, ...inner];
}
