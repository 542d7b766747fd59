import { sessionOf } from "../fields.ts";
import { CLAUDE_KINDS, composeEvent, eventNameOf, hasAgentId, kindOf, type Adapter } from "./adapter.ts";

/** Any program whose hooks look like Claude Code's. Nothing is promised beyond a receipt and an episode. */
export const adaptGeneric: Adapter = (payload, call) => {
  const name = eventNameOf(payload, call);
  return composeEvent(payload, call, {
    name,
    kind: kindOf(CLAUDE_KINDS, name),
    session: sessionOf(payload, "session_id", "sessionId"),
    subagent: hasAgentId(payload),
  });
};
