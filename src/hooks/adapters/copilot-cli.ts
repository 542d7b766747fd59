import { sessionOf } from "../fields.ts";
import { CLAUDE_KINDS, composeEvent, eventNameOf, kindOf, type Adapter, type KindTable } from "./adapter.ts";

/** The name under which a hook was registered decides the dialect: camel case, or Claude's names and keys. */
const COPILOT_KINDS: KindTable = {
  ...CLAUDE_KINDS,
  sessionStart: "start",
  userPromptSubmitted: "prompt",
  agentStop: "stop",
  preCompact: "compact",
  sessionEnd: "end",
  subagentStart: "subagent_start",
  subagentStop: "subagent_stop",
  notification: "notification",
};

/** GitHub Copilot CLI (providers.md 6). The camel-case dialect carries no event name of its own. */
export const adaptCopilotCli: Adapter = (payload, call) => {
  const name = eventNameOf(payload, call);
  return composeEvent(payload, call, {
    name,
    kind: kindOf(COPILOT_KINDS, name),
    session: sessionOf(payload, "sessionId", "session_id"),
  });
};
