import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LifecycleEvent } from "../../src/core/boundary/event.ts";
import { PROVIDERS } from "../../src/core/lifecycle/providers-table.ts";
import { isLifecycleEvent, normalisePayload, unusableInput } from "../../src/hooks/normalise.ts";
import { decodePayload, type Payload } from "../../src/hooks/payload.ts";
import { malformedInputs, samplePayload, samplePayloads, type SamplePayload } from "./support/fixtures.ts";

/** What each sample means: kind, what started, ended or triggered it, and its marks. */
const MEANINGS: Readonly<Record<string, string>> = {
  "claude-code/ConfigChange.json": "other",
  "claude-code/CwdChanged.json": "other",
  "claude-code/InstructionsLoaded.json": "other",
  "claude-code/Notification.idle.json": "notification",
  "claude-code/Notification.json": "notification",
  "claude-code/PermissionDenied.json": "other",
  "claude-code/PermissionRequest.json": "other",
  "claude-code/PostCompact.json": "compacted auto compacted-proof",
  "claude-code/PostToolBatch.json": "other",
  "claude-code/PostToolUse.Agent.json": "other",
  "claude-code/PostToolUse.json": "other",
  "claude-code/PostToolUse.Write.json": "other",
  "claude-code/PostToolUseFailure.json": "other",
  "claude-code/PreCompact.auto.json": "compact auto",
  "claude-code/PreCompact.manual-bare.json": "compact manual",
  "claude-code/PreCompact.manual.json": "compact manual",
  "claude-code/PreToolUse.Edit.json": "other",
  "claude-code/PreToolUse.json": "other",
  "claude-code/PreToolUse.mcp.json": "other",
  "claude-code/PreToolUse.subagent.json": "other subagent",
  "claude-code/SessionEnd.clear.json": "end clear closes",
  "claude-code/SessionEnd.logout.json": "end logout closes",
  "claude-code/SessionEnd.other.json": "end other",
  "claude-code/SessionEnd.prompt_input_exit.json": "end prompt_input_exit closes",
  "claude-code/SessionEnd.resume.json": "end resume",
  "claude-code/SessionStart.agent.json": "start startup",
  "claude-code/SessionStart.clear.json": "start clear",
  "claude-code/SessionStart.compact.json": "start compact compacted-proof",
  "claude-code/SessionStart.headless.json": "start startup",
  "claude-code/SessionStart.json": "start startup",
  "claude-code/SessionStart.old-cli.json": "start startup",
  "claude-code/SessionStart.resume-after-crash.json": "start resume",
  "claude-code/SessionStart.resume.json": "start resume",
  "claude-code/SessionStart.worktree.json": "start startup",
  "claude-code/Setup.json": "other",
  "claude-code/Stop.active.json": "stop reply",
  "claude-code/Stop.json": "stop reply",
  "claude-code/StopFailure.json": "stop_failure reply",
  "claude-code/SubagentStart.json": "subagent_start subagent",
  "claude-code/SubagentStop.json": "subagent_stop subagent reply",
  "claude-code/TaskCompleted.json": "other",
  "claude-code/UserPromptExpansion.json": "other",
  "claude-code/UserPromptSubmit.json": "prompt",
  "claude-code/UserPromptSubmit.titled.json": "prompt",
  "claude-code/WorktreeCreate.json": "other",
  "claude-code/WorktreeRemove.json": "other",
  "codex/Interrupt.json": "stop_failure",
  "codex/PermissionRequest.json": "other",
  "codex/PostCompact.json": "compacted manual compacted-proof",
  "codex/PostToolUse.json": "other",
  "codex/PreCompact.auto.json": "compact auto",
  "codex/PreCompact.json": "compact manual",
  "codex/PreToolUse.apply_patch.json": "other",
  "codex/PreToolUse.json": "other",
  "codex/SessionEnd.json": "end other",
  "codex/SessionStart.clear.json": "start clear",
  "codex/SessionStart.ephemeral.json": "start startup",
  "codex/SessionStart.fork.json": "start fork",
  "codex/SessionStart.json": "start startup",
  "codex/SessionStart.resume.json": "start resume",
  "codex/Stop.json": "stop reply",
  "codex/SubagentStart.json": "subagent_start subagent",
  "codex/SubagentStop.json": "subagent_stop subagent reply",
  "codex/UserPromptSubmit.json": "prompt",
  "copilot-cli/agentStop.json": "stop",
  "copilot-cli/errorOccurred.json": "other",
  "copilot-cli/pascal/PostToolUse.json": "other",
  "copilot-cli/pascal/PreCompact.json": "compact auto",
  "copilot-cli/pascal/PreToolUse.json": "other",
  "copilot-cli/pascal/SessionEnd.json": "end complete closes",
  "copilot-cli/pascal/SessionStart.json": "start startup",
  "copilot-cli/pascal/UserPromptSubmit.json": "prompt",
  "copilot-cli/postToolUse.json": "other",
  "copilot-cli/preCompact.json": "compact manual",
  "copilot-cli/preToolUse.json": "other",
  "copilot-cli/sessionEnd.complete.json": "end complete closes",
  "copilot-cli/sessionEnd.error.json": "end error",
  "copilot-cli/sessionEnd.timeout.json": "end timeout",
  "copilot-cli/sessionEnd.user_exit.json": "end user_exit closes",
  "copilot-cli/sessionStart.json": "start startup",
  "copilot-cli/sessionStart.resume.json": "start resume",
  "copilot-cli/userPromptSubmitted.json": "prompt",
  "cursor/afterAgentResponse.json": "other reply",
  "cursor/afterFileEdit.json": "other",
  "cursor/beforeSubmitPrompt.json": "prompt",
  "cursor/postToolUse.json": "other",
  "cursor/preCompact.json": "compact auto",
  "cursor/preToolUse.json": "other",
  "cursor/sessionEnd.json": "end user_close",
  "cursor/sessionStart.json": "start",
  "cursor/stop.json": "stop",
  "factory-droid/Notification.json": "notification",
  "factory-droid/PostToolUse.json": "other",
  "factory-droid/PreCompact.json": "compact auto",
  "factory-droid/PreToolUse.json": "other",
  "factory-droid/SessionEnd.json": "end prompt_input_exit closes",
  "factory-droid/SessionStart.json": "start startup",
  "factory-droid/SessionStart.resume.json": "start resume",
  "factory-droid/Stop.json": "stop",
  "factory-droid/SubagentStop.json": "subagent_stop subagent",
  "factory-droid/UserPromptSubmit.json": "prompt",
  "gemini-cli/AfterAgent.json": "stop reply",
  "gemini-cli/AfterTool.json": "other",
  "gemini-cli/BeforeAgent.json": "prompt",
  "gemini-cli/BeforeTool.json": "other",
  "gemini-cli/Notification.json": "notification",
  "gemini-cli/PreCompress.manual.json": "compact manual",
  "gemini-cli/SessionEnd.clear.json": "end clear closes",
  "gemini-cli/SessionEnd.exit.json": "end exit closes",
  "gemini-cli/SessionStart.clear.json": "start clear",
  "gemini-cli/SessionStart.json": "start startup",
  "gemini-cli/SessionStart.resume.json": "start resume",
  "kiro/agentSpawn.headless.json": "start",
  "kiro/agentSpawn.json": "start",
  "kiro/postToolUse.json": "other",
  "kiro/preToolUse.json": "other",
  "kiro/stop.json": "stop",
  "kiro/userPromptSubmit.json": "prompt",
  "kiro/v3/PreCompact.json": "compact auto",
  "kiro/v3/SessionStart.json": "start",
  "kiro/v3/Stop.json": "stop",
  "opencode/chat.message.json": "prompt",
  "opencode/dispose.json": "end dispose",
  "opencode/experimental.session.compacting.json": "compact",
  "opencode/plugin-init.json": "other",
  "opencode/session.compacted.json": "compacted compacted-proof",
  "opencode/session.created.json": "start",
  "opencode/session.deleted.json": "end deleted",
  "opencode/session.idle.json": "stop",
  "opencode/session.status.busy.json": "other",
  "opencode/tool.execute.after.json": "other",
  "opencode/tool.execute.before.json": "other",
  "qwen-code/Notification.json": "notification",
  "qwen-code/PostToolUse.json": "other",
  "qwen-code/PreCompact.json": "compact manual",
  "qwen-code/PreToolUse.json": "other",
  "qwen-code/SessionEnd.clear.json": "end clear closes",
  "qwen-code/SessionEnd.prompt_input_exit.json": "end prompt_input_exit closes",
  "qwen-code/SessionStart.clear.json": "start clear",
  "qwen-code/SessionStart.json": "start startup",
  "qwen-code/SessionStart.resume.json": "start resume",
  "qwen-code/Stop.json": "stop reply",
  "qwen-code/UserPromptSubmit.json": "prompt",
  "windsurf/post_cascade_response.json": "stop reply",
  "windsurf/post_write_code.json": "prompt",
  "windsurf/pre_run_command.json": "prompt",
  "windsurf/pre_user_prompt.json": "prompt",
};

function decoded(sample: SamplePayload): Payload {
  const answer = decodePayload(sample.bytes);
  if (!answer.ok) throw new Error(`${sample.file}: ${answer.error}`);
  return answer.value;
}

function eventOf(sample: SamplePayload, environment: Record<string, string> = {}): LifecycleEvent {
  const event = normalisePayload(decoded(sample), {
    provider: sample.provider,
    event: sample.event,
    environment,
  });
  if (!isLifecycleEvent(event)) throw new Error(`${sample.file}: ${event.reason}`);
  return event;
}

function meaningOf(event: LifecycleEvent): string {
  return [
    event.kind,
    event.source,
    event.reason,
    event.trigger,
    event.closes === true && "closes",
    event.subagent && "subagent",
    event.provesCompaction && "compacted-proof",
    event.lastAssistantMessage !== undefined && "reply",
  ]
    .filter(Boolean)
    .join(" ");
}

describe("normalising a payload", () => {
  it("understands every sample", () => {
    const meanings = samplePayloads().map((sample) => [sample.file, meaningOf(eventOf(sample))]);
    expect(Object.fromEntries(meanings)).toEqual(MEANINGS);
  });

  it("keeps the payload's own id, place and transcript", () => {
    expect(eventOf(samplePayload("claude-code/SessionStart.worktree.json"), { CLAUDE_PID: "4411" })).toEqual({
      provider: "claude-code",
      kind: "start",
      name: "SessionStart",
      session: "71d0b6aa-4e19-4f3b-9b57-c8e2f5a40d13",
      source: "startup",
      subagent: false,
      provesCompaction: false,
      cwd: "/home/wren/src/tidepool/.claude/worktrees/lane-b",
      transcriptPath:
        "/home/wren/.claude/projects/-home-wren-src-tidepool--claude-worktrees-lane-b/71d0b6aa-4e19-4f3b-9b57-c8e2f5a40d13.jsonl",
      processId: 4411,
    });
    expect(eventOf(samplePayload("windsurf/pre_run_command.json"))).toEqual({
      provider: "windsurf",
      kind: "prompt",
      name: "pre_run_command",
      session: "traj-6d2f81c0b9a4",
      subagent: false,
      provesCompaction: false,
      cwd: "/home/wren/src/tidepool",
    });
  });

  it("gives every sample the id under its provider's key", () => {
    const keys = ["session_id", "sessionId", "conversation_id", "trajectory_id", "sessionID"];
    for (const sample of samplePayloads()) {
      const payload = decoded(sample);
      const parts = [payload["properties"], payload["input"], payload] as (Payload | undefined)[];
      const ids = parts.flatMap((part) => keys.map((key) => part?.[key])).filter(Boolean);
      expect(eventOf(sample).session, sample.file).toBe(ids[0]);
    }
  });

  it("takes Cursor's place from its workspace, else from its variable", () => {
    const sample = samplePayload("cursor/stop.json");
    expect(eventOf(sample, { CURSOR_PROJECT_DIR: "/elsewhere" }).cwd).toBe("/home/wren/src/tidepool");
    const homeless = { ...decoded(sample), workspace_roots: [] };
    const event = normalisePayload(homeless, { environment: { CURSOR_PROJECT_DIR: "/elsewhere" } });
    expect(event).toMatchObject({ provider: "cursor", cwd: "/elsewhere" });
  });

  it("calls an OpenCode child session a sub-agent", () => {
    const payload = decoded(samplePayload("opencode/session.created.json"));
    const info = { ...(payload["properties"] as { info: object }).info, parentID: "ses_parent" };
    const child = { ...payload, properties: { sessionID: "ses_child", info } };
    expect(normalisePayload(child, { environment: {} })).toMatchObject({
      session: "ses_child",
      parentSession: "ses_parent",
      subagent: true,
    });
  });

  it("calls the summariser's end a sub-agent's", () => {
    const payload = { ...decoded(samplePayload("claude-code/SubagentStop.json")), agent_type: "" };
    expect(normalisePayload(payload, { environment: {} })).toMatchObject({
      kind: "subagent_stop",
      subagent: true,
    });
  });

  it("takes a Qwen prompt without words for a round of tool results", () => {
    const { submitted_prompt: _, ...payload } = decoded(samplePayload("qwen-code/UserPromptSubmit.json"));
    expect(normalisePayload({ ...payload, prompt: "" }, { environment: {} })).toMatchObject({
      kind: "other",
    });
    expect(normalisePayload(payload, { environment: {} })).toMatchObject({ kind: "prompt" });
  });

  it("takes Gemini's placeholder for no reply", () => {
    const payload = {
      ...decoded(samplePayload("gemini-cli/AfterAgent.json")),
      prompt_response: "[no response text]",
    };
    expect(normalisePayload(payload, { environment: {} })).not.toHaveProperty("lastAssistantMessage");
  });

  it("says that a Copilot payload came through a Claude Code hook", () => {
    const payload = decoded(samplePayload("copilot-cli/pascal/SessionStart.json"));
    expect(
      normalisePayload(payload, { provider: "claude-code", event: "SessionStart", environment: {} }),
    ).toMatchObject({ provider: "copilot-cli", declared: "claude-code", kind: "start", source: "startup" });
  });

  it.each([
    [{ session_id: 7 }, "session id is not a string"],
    [{ session_id: null }, "session id is not a string"],
    [{ session_id: {} }, "session id is not a string"],
    [{ session_id: ["a"] }, "session id is not a string"],
    [{ session_id: "" }, "session id is empty"],
    [{ session_id: " \t" }, "session id is empty"],
    [{ session_id: "ä".repeat(513) }, "session id is longer than 1024 bytes"],
    [{}, "session id is missing"],
  ])("cannot use %j: %s", (fields, reason) => {
    const payload = { hook_event_name: "SessionStart", source: "startup", cwd: "/tmp", ...fields };
    const event = normalisePayload(payload, {
      provider: "claude-code",
      environment: { CLAUDE_CODE_SESSION_ID: "from-the-environment" },
    });
    expect(event).toEqual({ provider: "claude-code", name: "SessionStart", reason });
  });

  it("trims an id and keeps it otherwise as it is", () => {
    const payload = { session_id: " ../../etc/passwd\n", hook_event_name: "Stop" };
    expect(normalisePayload(payload, { environment: {} })).toMatchObject({ session: "../../etc/passwd" });
    expect(
      normalisePayload({ ...payload, session_id: "x".repeat(1024) }, { environment: {} }),
    ).toHaveProperty("session");
  });

  it.each(["0", "-3", "12x", "", "1e3", "99999999999"])("takes CLAUDE_PID=%j for no process", (pid) => {
    const event = eventOf(samplePayload("claude-code/Stop.json"), { CLAUDE_PID: pid });
    expect(event).not.toHaveProperty("processId");
  });

  it("asks CLAUDE_PID of nobody else", () => {
    const event = eventOf(samplePayload("codex/Stop.json"), { CLAUDE_PID: "4411" });
    expect(event).not.toHaveProperty("processId");
  });

  it("takes a place only when it is an absolute path", () => {
    for (const cwd of ["src", "", 7, "/a\0b", null, `/${"a".repeat(4096)}`]) {
      const payload = { session_id: "s", hook_event_name: "Stop", cwd };
      expect(normalisePayload(payload, { environment: {} })).not.toHaveProperty("cwd");
    }
  });

  it("keeps only words that it knows for source and trigger", () => {
    const start = { session_id: "s", hook_event_name: "SessionStart", source: "constructor" };
    expect(normalisePayload(start, { environment: {} })).not.toHaveProperty("source");
    const compact = { session_id: "s", hook_event_name: "PreCompact", trigger: "moon" };
    expect(normalisePayload(compact, { environment: {} })).not.toHaveProperty("trigger");
  });

  it("receipts an event that it does not know as other", () => {
    const input = malformedInputs().find(({ file }) => file === "unknown-event.txt");
    const payload = decodePayload(input?.bytes ?? Buffer.of());
    expect(payload.ok && normalisePayload(payload.value, { environment: {} })).toMatchObject({
      kind: "other",
      name: "MoonPhase",
    });
    for (const name of ["constructor", "__proto__", "toString"]) {
      const event = normalisePayload({ session_id: "s", hook_event_name: name }, { environment: {} });
      expect(event).toMatchObject({ kind: "other", name });
    }
  });

  it("keeps a payload's words short", () => {
    const long = "x".repeat(100_000);
    const end = { session_id: "s", hook_event_name: "SessionEnd", reason: long };
    expect(normalisePayload(end, { environment: {} })).toMatchObject({ reason: `${"x".repeat(127)}…` });
    const unknown = normalisePayload({ session_id: 7, hook_event_name: long }, { environment: {} });
    expect(unknown.name).toHaveLength(128);
  });

  it("says of an input without a payload what was meant", () => {
    expect(unusableInput({ provider: "gemini", event: "SessionStart", environment: {} }, "empty")).toEqual({
      provider: "gemini-cli",
      name: "SessionStart",
      reason: "empty",
    });
    expect(unusableInput({ environment: {} }, "empty")).toEqual({
      provider: "generic",
      name: "unknown",
      reason: "empty",
    });
  });

  it("never throws and always answers, whatever the payload", () => {
    const keys = fc.constantFrom(
      ..."session_id sessionId sessionID conversation_id cursor_version agent_action_name".split(" "),
      ..."trajectory_id hook_event_name timestamp transcript_path cwd source reason trigger".split(" "),
      ..."prompt properties input workspace_roots tool_info agent_id __proto__".split(" "),
    );
    const words = fc.constantFrom(
      ..."SessionStart sessionEnd PreCompress agentSpawn chat.message 2026-11-30T09:14:42Z".split(" "),
      ..."/home/x/.gemini/a.jsonl /s/.qwen/b clear compact auto".split(" "),
    );
    const payloads = fc.dictionary(keys, fc.oneof(words, fc.jsonValue()));
    const providers = fc.option(fc.constantFrom(...PROVIDERS.map(({ id }) => id), "made-up"), {
      nil: undefined,
    });
    fc.assert(
      fc.property(payloads, providers, fc.option(words, { nil: undefined }), (payload, provider, event) => {
        const answer = normalisePayload(payload, {
          environment: {},
          ...(provider !== undefined && { provider }),
          ...(event !== undefined && { event }),
        });
        expect(answer.provider).toMatch(/./);
        if (isLifecycleEvent(answer)) {
          expect(["string", "undefined"]).toContain(typeof answer.session);
          expect(answer.session).not.toBe("");
        } else {
          expect(answer.reason).toMatch(/^session id is /);
        }
      }),
      { numRuns: 500 },
    );
  });
});
