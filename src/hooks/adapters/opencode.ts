import type { Result } from "../../core/base/result.ts";
import { objectOf, pathOf, sessionOf, textOf } from "../fields.ts";
import type { Payload } from "../payload.ts";
import { composeEvent, eventNameOf, kindOf, type Adapter, type KindTable } from "./adapter.ts";

const OPENCODE_KINDS: KindTable = {
  "session.created": "start",
  "chat.message": "prompt",
  "session.idle": "stop",
  "experimental.session.compacting": "compact",
  "session.compacted": "compacted",
  "session.deleted": "end",
  dispose: "end",
};

/** The parts of a plugin's call in which a session may be named: an event's properties, a hook's input. */
function sessionIn(parts: readonly Payload[]): Result<string | undefined, string> {
  const named = parts.find((part) => Object.hasOwn(part, "sessionID"));
  return sessionOf(named ?? {}, "sessionID");
}

/**
 * OpenCode (providers.md 8). There are no shell hooks: a plugin passes on the arguments of its own calls.
 * `dispose` ends the process and names no session; a child session's events are a sub-agent's.
 */
export const adaptOpencode: Adapter = (payload, call) => {
  const properties = objectOf(payload, "properties");
  const info = objectOf(properties, "info");
  const name = textOf(payload, "type") ?? eventNameOf(payload, call);
  const parent = textOf(info, "parentID");
  return composeEvent(payload, call, {
    name,
    kind: kindOf(OPENCODE_KINDS, name),
    session: sessionIn([payload, properties, objectOf(payload, "input")]),
    sessionOptional: true,
    subagent: parent !== undefined,
    parentSession: parent,
    reason: name === "dispose" ? "dispose" : "deleted",
    cwd: pathOf(payload, "directory", "worktree") ?? pathOf(info, "directory"),
  });
};
