import type { LifecycleEventKind } from "../../core/boundary/event.ts";
import { fieldOf, sessionOf } from "../fields.ts";
import { CLAUDE_KINDS, composeEvent, eventNameOf, hasAgentId, kindOf, type Adapter } from "./adapter.ts";

/** The events at which the transcript's new part is taken; a turn that a hook keeps going has not ended. */
const SAVES: ReadonlySet<LifecycleEventKind> = new Set(["stop", "compact", "end"]);

/** `CLAUDE_PID`, when it is a process id. */
function claudeProcess(value: string | undefined): number | undefined {
  if (value === undefined || !/^[1-9]\d{0,9}$/.test(value)) return undefined;
  return Number(value);
}

/**
 * Claude Code (providers.md 3). An event inside a sub-agent carries `agent_id`; `agent_type` alone is the main
 * thread of a session started with `--agent`. The compaction's summariser announces itself by a SubagentStop
 * with an empty `agent_type`: a sub-agent like any other.
 */
export const adaptClaudeCode: Adapter = (payload, call) => {
  const name = eventNameOf(payload, call);
  const kind = kindOf(CLAUDE_KINDS, name);
  return composeEvent(payload, call, {
    name,
    kind,
    autosave: SAVES.has(kind) && fieldOf(payload, "stop_hook_active") !== true,
    prompt: kind === "prompt" ? fieldOf(payload, "prompt") : undefined,
    session: sessionOf(payload, "session_id"),
    hearsClears: true,
    subagent: hasAgentId(payload),
    processId: claudeProcess(call.environment["CLAUDE_PID"]),
  });
};
