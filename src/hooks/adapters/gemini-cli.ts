import { sessionOf, textOf } from "../fields.ts";
import { composeEvent, eventNameOf, kindOf, type Adapter, type KindTable } from "./adapter.ts";

/** PreCompress fires before every request of the model, so it proves no compaction (providers.md 1, note 7). */
const GEMINI_KINDS: KindTable = {
  SessionStart: "start",
  BeforeAgent: "prompt",
  AfterAgent: "stop",
  PreCompress: "compact",
  SessionEnd: "end",
  Notification: "notification",
};

/** What stands in place of a reply after Esc. */
const NO_REPLY = "[no response text]";

/** Gemini CLI (providers.md 5). */
export const adaptGeminiCli: Adapter = (payload, call) => {
  const name = eventNameOf(payload, call);
  const reply = textOf(payload, "prompt_response");
  return composeEvent(payload, call, {
    name,
    kind: kindOf(GEMINI_KINDS, name),
    session: sessionOf(payload, "session_id"),
    lastAssistantMessage: reply === NO_REPLY ? undefined : reply,
  });
};
