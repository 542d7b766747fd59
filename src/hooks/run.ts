import { formatTimestamp } from "../core/base/time.ts";
import type { LifecycleEvent, UnusablePayload } from "../core/boundary/event.ts";
import { onlyLooks } from "../core/boundary/dry-run.ts";
import { locateEvent, locateUnusable } from "../core/boundary/locate-event.ts";
import { receiveUnusable } from "../core/boundary/receipt.ts";
import { takeEvent } from "../core/boundary/take-event.ts";
import type { Surroundings } from "../core/checkout/checkout.ts";
import { complain, lastResortLog } from "../core/journal/last-resort.ts";
import { isLifecycleEvent, normalisePayload, unusableInput } from "./normalise.ts";
import type { HookInvocation } from "./normalise.ts";
import { providerParent } from "./parent-process.ts";
import { decodePayload, readPayload } from "./payload.ts";
import { hears, renderOutput } from "./renderers.ts";

export interface HookRun {
  /** The descriptor that the payload is read from. */
  input: number;
  invocation: HookInvocation;
  surroundings: Surroundings;
  /** The process's own directory, when it still exists: only ever where a receipt goes. */
  processDirectory: string | undefined;
  /** The process that started this one. */
  parent: number;
  /** Milliseconds since the process began. */
  elapsed: () => number;
}

const NOTHING_TOLD = { text: "", unheard: () => undefined };

/**
 * Runs one hook: payload, provider, repository, receipt, steps, outcome.
 *
 * @returns what goes to standard output, often nothing, and what to do when it cannot
 */
export async function runHook(run: HookRun): Promise<{ text: string; unheard: () => void }> {
  const event = withRepository(await readEvent(run), run.surroundings);
  if (!isLifecycleEvent(event)) {
    if (onlyLooks(run.surroundings.environment)) return NOTHING_TOLD;
    const site = locateUnusable(run.surroundings, run.processDirectory);
    if (site !== undefined) receiveUnusable(site, event);
    return NOTHING_TOLD;
  }
  const known = event.kind === "start" ? withProcess(event, run.parent) : event;
  const heard = { ...known, told: hears(known) };
  const { environment, clock } = run.surroundings;
  const { text, unheard } = await takeEvent(heard, run.surroundings, run.elapsed, (reason) =>
    complain(
      lastResortLog(environment),
      formatTimestamp(clock.now()),
      `${event.provider} ${event.name}: ${reason}`,
    ),
  );
  return { text: renderOutput(event, text), unheard };
}

/** What names neither a session nor a repository is no event: its receipt goes where those of such payloads go. */
function withRepository(
  event: LifecycleEvent | UnusablePayload,
  surroundings: Surroundings,
): LifecycleEvent | UnusablePayload {
  if (!isLifecycleEvent(event) || event.withoutSession === undefined) return event;
  if (locateEvent(event, surroundings) !== undefined) return event;
  const { provider, name, withoutSession: reason, declared } = event;
  return { provider, name, reason, ...(declared === undefined ? {} : { declared }) };
}

/** Older versions of a provider do not say which process is theirs; at a start, our own parent may tell. */
function withProcess(event: LifecycleEvent, parent: number): LifecycleEvent {
  if (event.processId !== undefined) return event;
  const processId = providerParent(event.provider, parent);
  return processId === undefined ? event : { ...event, processId };
}

async function readEvent(run: HookRun): Promise<LifecycleEvent | UnusablePayload> {
  const raw = await readPayload(run.input);
  if (!raw.ok) return unusableInput(run.invocation, raw.error);
  const payload = decodePayload(raw.value);
  if (!payload.ok) return unusableInput(run.invocation, payload.error);
  return normalisePayload(payload.value, run.invocation);
}
