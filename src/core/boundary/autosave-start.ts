import { dirname, isAbsolute } from "node:path";
import { installBaseOf, mayHaveMemory } from "../capsule/install-root.ts";
import type { Site } from "../checkout/checkout.ts";
import { readText, isPresent } from "../fs/read.ts";
import { registrationPath } from "../journal/registration-file.ts";
import { clip } from "../text/inert.ts";
import { isWaiting, leaveOrder, ORDER_VARIABLE } from "./autosave-order.ts";
import type { AutosaveOrder } from "./autosave-order.ts";
import { hasTaker } from "./autosave-taker.ts";
import { startWorker } from "./autosave-worker.ts";
import type { LifecycleEvent } from "./event.ts";

const REGISTRATION_BYTES = 64 * 1024;
/** Longer than what an autosave keeps of a reply. */
const REPLY_CHARACTERS = 1000;

/**
 * What a hook may be told by its environment and a server was not: where memory lies, what time it is, what fails. Such a
 * hook starts its own process, and a server hands none of these down.
 */
export const DIVERTING = [
  "AIGENT_ROOT",
  "AIGENT_STATE_HOME_DIR",
  "LIFECYCLE_KILL_STOP_WRITER",
  "MAJORDOMUS_FAULT",
  "MAJORDOMUS_NOW",
] as const;

/** Why no autosave is started for an event; undefined when one is wanted. */
export function reasonAgainst(site: Site, event: LifecycleEvent): string | undefined {
  if (event.autosave !== true || event.session === undefined) return "no autosave is asked for";
  if (event.transcriptPath === undefined) return "the payload names no transcript";
  if (site.environment["LIFECYCLE_KILL_STOP_WRITER"] === "1") return "LIFECYCLE_KILL_STOP_WRITER is set";
  if (!isPresent(event.transcriptPath)) return "there is no transcript";
  if (!mayHaveMemory(installBaseOf(site.environment, site.root))) return "this install has no memory tree";
  return undefined;
}

/**
 * The work tree in which a session's episode was opened: what it says is kept there, wherever it works now. Read by
 * hand, since nothing heavier may be loaded at every turn.
 */
function registeredWorktree(site: Site, provider: string, session: string): string | undefined {
  const text = readText(registrationPath(site.common, provider, session), {
    maximumBytes: REGISTRATION_BYTES,
  });
  if (!text.ok) return undefined;
  try {
    const value: unknown = JSON.parse(text.value);
    const worktree =
      typeof value === "object" && value !== null && "worktree" in value ? value.worktree : undefined;
    return typeof worktree === "string" && isAbsolute(worktree) ? worktree : undefined;
  } catch {
    return undefined;
  }
}

/** What an event orders; a reason where nothing can be saved for it. */
function orderOf(site: Site, event: LifecycleEvent): AutosaveOrder | string {
  const against =
    site.autosaveProgram === undefined ? "there is no autosave program here" : reasonAgainst(site, event);
  if (against !== undefined) return against;
  const session = event.session ?? "";
  const root = registeredWorktree(site, event.provider, session) ?? site.root;
  if (!isPresent(root)) return "the worktree of the episode is gone";
  const reply = event.lastAssistantMessage;
  return {
    provider: event.provider,
    session,
    root,
    transcript: event.transcriptPath ?? "",
    ...(reply === undefined ? {} : { reply: clip(reply, REPLY_CHARACTERS) }),
  };
}

/** What a turn's end did for the saving of its state. Whether anything is saved is for the process to say that does it. */
export type Ordered = { result: "done" | "skipped"; reason: string };

/**
 * Sees to it that a session's state is saved, and does not wait for it: a turn is never delayed. The work tree's server is left
 * the order, where one lives that took the order before; else a process is started.
 *
 * @returns what was done, or why nothing will be saved.
 */
export function orderAutosave(site: Site, event: LifecycleEvent): Ordered {
  const order = orderOf(site, event);
  if (typeof order === "string") return { result: "skipped", reason: order };
  if (mayHandOver(site, order) && tryToLeave(site, { ...order, handed: true }) !== undefined) {
    return { result: "done", reason: "an order was left to the server" };
  }
  startProcess(site, order);
  return { result: "done", reason: "a process was started" };
}

/**
 * Starts the process that saves a session's state at once, and does not wait for it.
 *
 * @returns why nothing will be saved; undefined when something will.
 */
export function startAutosave(site: Site, event: LifecycleEvent): string | undefined {
  const order = orderOf(site, event);
  if (typeof order === "string") return order;
  startProcess(site, order);
  return undefined;
}

/** A server that hangs, or whose number another process has, has left the order before where it was. */
function mayHandOver({ common, environment }: Site, { provider, session, root }: AutosaveOrder): boolean {
  if (DIVERTING.some((name) => environment[name] !== undefined)) return false;
  return hasTaker(common, root) && !isWaiting(common, provider, session);
}

/** @returns where the order lies; undefined where none can be left. */
function tryToLeave({ common }: Site, order: AutosaveOrder): string | undefined {
  try {
    return leaveOrder(common, order);
  } catch {
    return undefined;
  }
}

/** Where no order can be left, the process is told by its environment, which only its user may read. */
function startProcess(site: Site, order: AutosaveOrder): void {
  const { environment } = site;
  const left = tryToLeave(site, order);
  startWorker(site.autosaveProgram ?? "", {
    directory: dirname(site.common.root),
    ...(left === undefined
      ? { environment: { ...environment, [ORDER_VARIABLE]: JSON.stringify(order) } }
      : { environment, order: left }),
  });
}
