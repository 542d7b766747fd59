import type { LifecycleEvent, UnusablePayload } from "../core/boundary/event.ts";
import { providerIdOf } from "../core/lifecycle/providers-table.ts";
import { unusable, type Adapter } from "./adapters/adapter.ts";
import { adaptClaudeCode } from "./adapters/claude-code.ts";
import { adaptCodex } from "./adapters/codex.ts";
import { adaptCopilotCli } from "./adapters/copilot-cli.ts";
import { adaptCursor } from "./adapters/cursor.ts";
import { adaptFactoryDroid } from "./adapters/factory-droid.ts";
import { adaptGeminiCli } from "./adapters/gemini-cli.ts";
import { adaptGeneric } from "./adapters/generic.ts";
import { adaptKiro } from "./adapters/kiro.ts";
import { adaptOpencode } from "./adapters/opencode.ts";
import { adaptQwenCode } from "./adapters/qwen-code.ts";
import { adaptWindsurf } from "./adapters/windsurf.ts";
import { detectProvider, type Environment } from "./detect.ts";
import type { Payload } from "./payload.ts";

const ADAPTERS: Readonly<Record<string, Adapter>> = {
  "claude-code": adaptClaudeCode,
  codex: adaptCodex,
  "gemini-cli": adaptGeminiCli,
  "copilot-cli": adaptCopilotCli,
  "qwen-code": adaptQwenCode,
  cursor: adaptCursor,
  opencode: adaptOpencode,
  "factory-droid": adaptFactoryDroid,
  kiro: adaptKiro,
  windsurf: adaptWindsurf,
};

/** What a hook's command line and environment say. */
export interface HookInvocation {
  /** `--provider`. */
  provider?: string;
  /** The event that the command line names. */
  event?: string;
  environment: Environment;
}

/** Decides who sent a payload and turns it into what it means. Never throws. */
export function normalisePayload(
  payload: Payload,
  invocation: HookInvocation,
): LifecycleEvent | UnusablePayload {
  const { environment, event } = invocation;
  const { provider, declared } = detectProvider(payload, invocation.provider, environment);
  const adapt = Object.hasOwn(ADAPTERS, provider) ? ADAPTERS[provider] : undefined;
  return (adapt ?? adaptGeneric)(payload, {
    provider,
    environment,
    ...(declared !== undefined && { declared }),
    ...(event !== undefined && { event }),
  });
}

/** What is left to say of an input that is no payload at all: who was meant to send it, and why it is useless. */
export function unusableInput(invocation: HookInvocation, reason: string): UnusablePayload {
  const provider = invocation.provider === undefined ? "generic" : providerIdOf(invocation.provider);
  return unusable({ provider, environment: {} }, invocation.event ?? "unknown", reason);
}

export function isLifecycleEvent(event: LifecycleEvent | UnusablePayload): event is LifecycleEvent {
  return "kind" in event;
}
