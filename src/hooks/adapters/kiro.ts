import { sessionOf } from "../fields.ts";
import { CLAUDE_KINDS, composeEvent, eventNameOf, kindOf, type Adapter, type KindTable } from "./adapter.ts";

/** The 2.x line has names of its own; 3.x took Claude's. */
const KIRO_KINDS: KindTable = {
  ...CLAUDE_KINDS,
  agentSpawn: "start",
  userPromptSubmit: "prompt",
  stop: "stop",
};

/** Kiro CLI (providers.md 9). Without a terminal the 2.x line sends no session id. */
export const adaptKiro: Adapter = (payload, call) => {
  const name = eventNameOf(payload, call);
  return composeEvent(payload, call, {
    name,
    kind: kindOf(KIRO_KINDS, name),
    session: sessionOf(payload, "session_id"),
    sessionOptional: true,
  });
};
