import { dirname } from "node:path";
import { objectOf, pathOf, sessionOf, textOf } from "../fields.ts";
import { composeEvent, eventNameOf, kindOf, type Adapter, type KindTable } from "./adapter.ts";

const WINDSURF_KINDS: KindTable = { pre_user_prompt: "prompt", post_cascade_response: "stop" };

/**
 * Windsurf (providers.md 9): an observer's hooks, where the trajectory is the session. A prompt names no
 * directory; tools do. So a tool's event counts like the prompt that it answers: the first one opens the
 * episode where the work is, and from then on every event of the trajectory finds it.
 */
export const adaptWindsurf: Adapter = (payload, call) => {
  const name = textOf(payload, "agent_action_name") ?? eventNameOf(payload, call);
  const tool = objectOf(payload, "tool_info");
  const file = pathOf(tool, "file_path");
  const cwd = pathOf(tool, "cwd") ?? (file === undefined ? undefined : dirname(file));
  const kind = kindOf(WINDSURF_KINDS, name);
  return composeEvent(payload, call, {
    name,
    kind: kind === "other" && cwd !== undefined ? "prompt" : kind,
    session: sessionOf(payload, "trajectory_id"),
    cwd,
    lastAssistantMessage: name === "post_cascade_response" ? textOf(tool, "response") : undefined,
  });
};
