import { objectOf, pathOf, sessionOf, textOf } from "../fields.ts";
import { composeEvent, eventNameOf, kindOf, type Adapter, type KindTable } from "./adapter.ts";

const WINDSURF_KINDS: KindTable = { pre_user_prompt: "prompt", post_cascade_response: "stop" };

/** Windsurf (providers.md 9): an observer's hooks, where the trajectory is the session. */
export const adaptWindsurf: Adapter = (payload, call) => {
  const name = textOf(payload, "agent_action_name") ?? eventNameOf(payload, call);
  const tool = objectOf(payload, "tool_info");
  return composeEvent(payload, call, {
    name,
    kind: kindOf(WINDSURF_KINDS, name),
    session: sessionOf(payload, "trajectory_id"),
    cwd: pathOf(tool, "cwd"),
    lastAssistantMessage: name === "post_cascade_response" ? textOf(tool, "response") : undefined,
  });
};
