import type { LifecycleEvent, LifecycleEventKind, UnusablePayload } from "../../core/boundary/event.ts";
import type { Result } from "../../core/base/result.ts";
import { clip } from "../../core/text/inert.ts";
import type { Environment } from "../detect.ts";
import { fieldOf, pathOf, sourceOf, textOf, triggerOf } from "../fields.ts";
import type { Payload } from "../payload.ts";

/** What is known of a hook's call besides its payload. */
export interface HookCall {
  provider: string;
  /** The provider that the command line named, when the payload says otherwise. */
  declared?: string;
  /** The event that the command line named: some payloads carry no name of their own. */
  event?: string;
  environment: Environment;
}

/** Turns one provider's payload into what it means. Never throws, whatever the payload. */
export type Adapter = (payload: Payload, call: HookCall) => LifecycleEvent | UnusablePayload;

/** A provider's event names and what each means; a name that is missing is `other`. */
export type KindTable = Readonly<Record<string, LifecycleEventKind>>;

/** The names that Claude Code coined and most others took over. */
export const CLAUDE_KINDS: KindTable = {
  SessionStart: "start",
  UserPromptSubmit: "prompt",
  Stop: "stop",
  StopFailure: "stop_failure",
  PreCompact: "compact",
  PostCompact: "compacted",
  SessionEnd: "end",
  SubagentStart: "subagent_start",
  SubagentStop: "subagent_stop",
  Notification: "notification",
};

/** Reasons of an end that mean a person was done; every other one is an interruption (decisions.md 1.3). */
const CLOSING_REASONS = new Set(["clear", "logout", "prompt_input_exit", "exit", "complete", "user_exit"]);

export function kindOf(kinds: KindTable, name: string): LifecycleEventKind {
  return Object.hasOwn(kinds, name) ? (kinds[name] ?? "other") : "other";
}

/** The payload's own name of the event, else the command line's. */
export function eventNameOf(payload: Payload, call: HookCall): string {
  return textOf(payload, "hook_event_name", "hookEventName") ?? call.event ?? "unknown";
}

/** Longest name or reason that a receipt keeps, in characters: a payload's words are not to fill the journal. */
const LONGEST_WORD = 128;

export function unusable(call: HookCall, name: string, reason: string): UnusablePayload {
  return {
    provider: call.provider,
    ...(call.declared !== undefined && { declared: call.declared }),
    name: clip(name, LONGEST_WORD),
    reason,
  };
}

/** What an adapter found in the places that differ between providers. */
export interface EventParts {
  name: string;
  kind: LifecycleEventKind;
  session: Result<string | undefined, string>;
  /** A payload without an id is this provider's habit, not a fault. */
  sessionOptional?: boolean;
  /** This provider's model hears what a clear tells, so that a clear is told without an id too. */
  hearsClears?: boolean;
  subagent?: boolean;
  cwd?: string | undefined;
  lastAssistantMessage?: string | undefined;
  reason?: string | undefined;
  parentSession?: string | undefined;
  processId?: number | undefined;
  /** The transcript is of a form that an autosave can read, and this event asks for one. */
  autosave?: boolean;
  prompt?: unknown;
}

/** Why there is no session id; undefined where there is one, or none is wanted. */
function missingSession({ session, sessionOptional }: EventParts): string | undefined {
  if (!session.ok) return session.error;
  return session.value === undefined && sessionOptional !== true ? "session id is missing" : undefined;
}

/**
 * Puts an event together from the parts that an adapter found and the fields that all providers share.
 * Without a valid session id there is no event, since identity has no fall-back (decisions.md 1.8), but for a clear
 * that is heard: its capsule is told without an authority for who reads it (capsules.md 5.4).
 */
export function composeEvent(
  payload: Payload,
  call: HookCall,
  parts: EventParts,
): LifecycleEvent | UnusablePayload {
  const { name, kind, session } = parts;
  const source = kind === "start" ? sourceOf(payload) : undefined;
  const withoutSession = missingSession(parts);
  const isTold = parts.hearsClears === true && source === "clear" && parts.subagent !== true;
  if (withoutSession !== undefined && !isTold) return unusable(call, name, withoutSession);
  const reason = kind === "end" ? (parts.reason ?? textOf(payload, "reason")) : undefined;
  const trigger = kind === "compact" || kind === "compacted" ? triggerOf(payload) : undefined;
  return {
    provider: call.provider,
    kind,
    name: clip(name, LONGEST_WORD),
    subagent: parts.subagent === true || kind === "subagent_start" || kind === "subagent_stop",
    provesCompaction: kind === "compacted" || source === "compact",
    ...(call.declared !== undefined && { declared: call.declared }),
    ...(parts.autosave === true && { autosave: true }),
    ...(parts.prompt !== undefined && { prompt: parts.prompt }),
    ...(kind === "end" && { closes: reason !== undefined && CLOSING_REASONS.has(reason) }),
    ...defined({
      session: session.ok ? session.value : undefined,
      withoutSession,
      source,
      reason: reason && clip(reason, LONGEST_WORD),
      trigger,
      cwd: parts.cwd ?? pathOf(payload, "cwd"),
      transcriptPath: pathOf(payload, "transcript_path", "transcriptPath"),
      lastAssistantMessage:
        parts.lastAssistantMessage ?? textOf(payload, "last_assistant_message", "lastAssistantMessage"),
      parentSession: parts.parentSession,
      processId: parts.processId,
    }),
  };
}

/** True for an event that came out of a sub-agent. What is no text there still names something that is not the main thread. */
export function hasAgentId(payload: Payload): boolean {
  const id = fieldOf(payload, "agent_id", "agentId");
  return id !== undefined && id !== null && id !== "";
}

type Defined<Facts> = { [Key in keyof Facts]?: Exclude<Facts[Key], undefined> };

function defined<Facts extends object>(facts: Facts): Defined<Facts> {
  return Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== undefined),
  ) as Defined<Facts>;
}
