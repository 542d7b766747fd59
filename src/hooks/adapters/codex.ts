import { sessionOf } from "../fields.ts";
import {
  CLAUDE_KINDS,
  composeEvent,
  eventNameOf,
  hasAgentId,
  kindOf,
  type Adapter,
  type KindTable,
} from "./adapter.ts";

/** Esc sends Interrupt in place of Stop: the turn is over without a reply. */
const CODEX_KINDS: KindTable = { ...CLAUDE_KINDS, Interrupt: "stop_failure" };

/** OpenAI Codex CLI (providers.md 4). Its end events come late, and say only `other`. */
export const adaptCodex: Adapter = (payload, call) => {
  const name = eventNameOf(payload, call);
  return composeEvent(payload, call, {
    name,
    kind: kindOf(CODEX_KINDS, name),
    session: sessionOf(payload, "session_id"),
    subagent: hasAgentId(payload),
  });
};
