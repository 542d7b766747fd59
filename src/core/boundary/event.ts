/** What a provider's hook means, whoever the provider is. Adapters make it; the boundary acts on it. */
export type LifecycleEventKind =
  | "start"
  | "prompt"
  | "stop"
  | "stop_failure"
  | "compact"
  | "compacted"
  | "end"
  | "subagent_start"
  | "subagent_stop"
  | "notification"
  /** Any other event of a provider: received, receipted, nothing else. */
  | "other";

export type StartSource = "startup" | "resume" | "clear" | "compact" | "fork";

export interface LifecycleEvent {
  provider: string;
  /** The provider that the command line named, when the payload says otherwise. */
  declared?: string;
  kind: LifecycleEventKind;
  /** The provider's own name of the event. */
  name: string;
  /** The provider session's raw id; absent when the payload carries none that is valid. */
  session?: string;
  /** Why there is no session where one belongs, on an event that means something all the same: a clear. */
  withoutSession?: string;
  source?: StartSource;
  /** Why the session ended, in the provider's words. */
  reason?: string;
  /** The reason is one that closes; any other leaves an interrupted record. */
  closes?: boolean;
  trigger?: "manual" | "auto";
  /** The event came out of a sub-agent: it never opens an episode and never moves the pointer. */
  subagent: boolean;
  /** A compaction that this event proves (providers.md 12.9). */
  provesCompaction: boolean;
  cwd?: string;
  transcriptPath?: string;
  lastAssistantMessage?: string;
  /** The parent session, where a payload names one. */
  parentSession?: string;
  /** The provider's own process, where its environment names one. */
  processId?: number;
  /** What is returned for this event reaches the model: elsewhere nothing may be spent for the sake of telling it. */
  told?: boolean;
  /** The transcript is of a form that an autosave can read, and this event asks for one. */
  autosave?: boolean;
  /** The prompt as the payload has it, text or structure; for the prompt journal alone. */
  prompt?: unknown;
}

/** A payload that cannot be used: receipted, never an episode. */
export interface UnusablePayload {
  provider: string;
  declared?: string;
  name: string;
  /** One line: what is wrong with it. */
  reason: string;
}
