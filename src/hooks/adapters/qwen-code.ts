import { sessionOf, textOf } from "../fields.ts";
import { CLAUDE_KINDS, composeEvent, eventNameOf, hasAgentId, kindOf, type Adapter } from "./adapter.ts";

/**
 * Qwen Code (providers.md 9). Its UserPromptSubmit also fires, with an empty prompt, for every round of tool
 * results: only one with words in it is a prompt.
 */
export const adaptQwenCode: Adapter = (payload, call) => {
  const name = eventNameOf(payload, call);
  const kind = kindOf(CLAUDE_KINDS, name);
  const wordless = kind === "prompt" && textOf(payload, "submitted_prompt", "prompt") === undefined;
  return composeEvent(payload, call, {
    name,
    kind: wordless ? "other" : kind,
    session: sessionOf(payload, "session_id"),
    subagent: hasAgentId(payload),
  });
};
