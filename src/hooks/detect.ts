import { isProviderId, providerIdOf } from "../core/lifecycle/providers-table.ts";
import { fieldOf, objectOf, textOf } from "./fields.ts";
import type { Payload } from "./payload.ts";

/** What tells one provider's payload from another's (providers.md 2.4). */
export interface ProviderTest {
  provider: string;
  matches(payload: Payload): boolean;
}

export interface Detection {
  provider: string;
  /** The provider that the command line named, when the payload says otherwise. */
  declared?: string;
  by: "payload" | "declared" | "environment" | "nothing";
}

export type Environment = Readonly<Record<string, string | undefined>>;

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
const GEMINI_EVENTS = new Set([
  "BeforeAgent",
  "AfterAgent",
  "BeforeTool",
  "AfterTool",
  "BeforeModel",
  "AfterModel",
  "BeforeToolSelection",
  "PreCompress",
]);
const KIRO_EVENTS = new Set(["agentSpawn", "userPromptSubmit", "preToolUse", "postToolUse", "stop"]);

function has(payload: Payload, key: string): boolean {
  return Object.hasOwn(payload, key);
}

function eventOf(payload: Payload): string {
  return textOf(payload, "hook_event_name") ?? "";
}

function transcriptOf(payload: Payload): string {
  return (textOf(payload, "transcript_path", "transcriptPath") ?? "").replaceAll("\\", "/");
}

// A pattern is compiled when it is first used, which costs more than a hook's other looks at its payload
// together: each stands behind a plainer test.

function hasIsoTime(payload: Payload): boolean {
  const time = textOf(payload, "timestamp");
  return time !== undefined && ISO_TIME.test(time);
}

function isRollout(transcript: string): boolean {
  return transcript.includes("/rollout-") && /\/sessions\/\d{4}\/\d\d\/\d\d\/rollout-/.test(transcript);
}

function isAutonomyLevel(mode: string): boolean {
  return mode === "off" || mode === "spec" || (mode.startsWith("auto-") && /^auto-.*$/.test(mode));
}

/** The tests in their order: the first that matches names the provider. */
export const PROVIDER_TESTS: readonly ProviderTest[] = [
  { provider: "windsurf", matches: (payload) => has(payload, "agent_action_name") },
  {
    provider: "cursor",
    matches: (payload) => has(payload, "conversation_id") && has(payload, "cursor_version"),
  },
  {
    provider: "copilot-cli",
    matches: (payload) => has(payload, "sessionId") && typeof fieldOf(payload, "timestamp") === "number",
  },
  {
    provider: "copilot-cli",
    matches: (payload) =>
      has(payload, "hook_event_name") &&
      hasIsoTime(payload) &&
      (!has(payload, "transcript_path") || transcriptOf(payload).endsWith("/events.jsonl")),
  },
  {
    provider: "gemini-cli",
    matches: (payload) =>
      GEMINI_EVENTS.has(eventOf(payload)) ||
      transcriptOf(payload).includes("/.gemini/") ||
      (hasIsoTime(payload) && fieldOf(payload, "transcript_path") === ""),
  },
  {
    provider: "qwen-code",
    matches: (payload) =>
      transcriptOf(payload).includes("/.qwen/") ||
      has(payload, "submitted_prompt") ||
      (textOf(payload, "prompt_id") ?? "").includes("########"),
  },
  {
    provider: "codex",
    matches: (payload) =>
      isRollout(transcriptOf(payload)) ||
      has(payload, "turn_id") ||
      (fieldOf(payload, "transcript_path") === null && has(payload, "model")),
  },
  {
    provider: "factory-droid",
    matches: (payload) =>
      transcriptOf(payload).includes("/.factory/") ||
      isAutonomyLevel(textOf(payload, "permission_mode", "permissionMode") ?? ""),
  },
  {
    provider: "kiro",
    matches: (payload) =>
      KIRO_EVENTS.has(eventOf(payload)) ||
      ((textOf(payload, "session_id") ?? "").startsWith("sess_") && !has(payload, "transcript_path")),
  },
  {
    provider: "claude-code",
    matches: (payload) => has(payload, "session_id") && has(payload, "hook_event_name"),
  },
  {
    // Not a hook's stdin but a plugin's call; no other provider spells the key so.
    provider: "opencode",
    matches: (payload) =>
      [payload, objectOf(payload, "input"), objectOf(payload, "properties")].some((part) =>
        has(part, "sessionID"),
      ),
  },
];

/** Variables that a provider sets for its hooks; the last resort, since a child program inherits them all. */
const PROVIDER_VARIABLES: readonly (readonly [variable: string, provider: string])[] = [
  ["CURSOR_VERSION", "cursor"],
  ["COPILOT_CLI", "copilot-cli"],
  ["GEMINI_SESSION_ID", "gemini-cli"],
  ["DROID_PLUGIN_ROOT", "factory-droid"],
  ["CLAUDE_CODE_SESSION_ID", "claude-code"],
  ["CLAUDECODE", "claude-code"],
];

/**
 * Decides which provider sent a payload: by the payload first, the command line second, the environment last.
 *
 * @param declared the provider that the command line named; a disagreement is kept beside the answer.
 */
export function detectProvider(
  payload: Payload,
  declared?: string,
  environment: Environment = {},
): Detection {
  const named = declared === undefined || declared === "" ? undefined : providerIdOf(declared);
  const seen = PROVIDER_TESTS.find((test) => test.matches(payload))?.provider;
  if (seen !== undefined) {
    const disagrees = named !== undefined && named !== seen;
    return { provider: seen, by: "payload", ...(disagrees && { declared: named }) };
  }
  if (named !== undefined && isProviderId(named)) return { provider: named, by: "declared" };
  const variable = PROVIDER_VARIABLES.find(([name]) => (environment[name] ?? "") !== "");
  if (named !== undefined) return { provider: "generic", by: "declared", declared: named };
  return variable === undefined
    ? { provider: "generic", by: "nothing" }
    : { provider: variable[1], by: "environment" };
}
