import { sessionOf } from "../fields.ts";
import { CLAUDE_KINDS, composeEvent, eventNameOf, hasAgentId, kindOf, type Adapter } from "./adapter.ts";

/** Factory Droid (providers.md 9). Its reference shows camel-case keys, working programs read snake case. */
export const adaptFactoryDroid: Adapter = (payload, call) => {
  const name = eventNameOf(payload, call);
  return composeEvent(payload, call, {
    name,
    kind: kindOf(CLAUDE_KINDS, name),
    session: sessionOf(payload, "session_id", "sessionId"),
    subagent: hasAgentId(payload),
  });
};
