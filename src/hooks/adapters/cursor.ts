import { fieldOf, isUsablePath, sessionOf, textOf } from "../fields.ts";
import type { Payload } from "../payload.ts";
import { composeEvent, eventNameOf, kindOf, type Adapter, type KindTable } from "./adapter.ts";

const CURSOR_KINDS: KindTable = {
  sessionStart: "start",
  beforeSubmitPrompt: "prompt",
  stop: "stop",
  preCompact: "compact",
  sessionEnd: "end",
  subagentStart: "subagent_start",
  subagentStop: "subagent_stop",
};

function workspaceOf(payload: Payload): string | undefined {
  const roots = fieldOf(payload, "workspace_roots");
  const first: unknown = Array.isArray(roots) ? roots[0] : undefined;
  return typeof first === "string" && isUsablePath(first) ? first : undefined;
}

/** Cursor (providers.md 7). The conversation is the session; `session_id` stands on session events alone. */
export const adaptCursor: Adapter = (payload, call) => {
  const name = eventNameOf(payload, call);
  const declaredRoot = call.environment["CURSOR_PROJECT_DIR"];
  return composeEvent(payload, call, {
    name,
    kind: kindOf(CURSOR_KINDS, name),
    session: sessionOf(payload, "conversation_id"),
    cwd:
      workspaceOf(payload) ??
      (declaredRoot !== undefined && isUsablePath(declaredRoot) ? declaredRoot : undefined),
    lastAssistantMessage: name === "afterAgentResponse" ? textOf(payload, "text") : undefined,
  });
};
