import { spawn } from "node:child_process";
import { isAbsolute } from "node:path";
import { installBaseOf, mayHaveMemory } from "../capsule/install-root.ts";
import type { Site } from "../checkout/checkout.ts";
import { readText, isPresent } from "../fs/read.ts";
import { registrationPath } from "../journal/registration-file.ts";
import { clip } from "../text/inert.ts";
import { leaveOrder } from "./autosave-order.ts";
import type { LifecycleEvent } from "./event.ts";

const REGISTRATION_BYTES = 64 * 1024;
/** Longer than what an autosave keeps of a reply. */
const REPLY_CHARACTERS = 1000;

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

/**
 * Starts the process that saves a session's state, and does not wait for it: a turn is never delayed. It inherits no
 * stream, and has a process group of its own.
 *
 * @returns why none was started; undefined when one was.
 */
export function startAutosave(site: Site, event: LifecycleEvent): string | undefined {
  const { autosaveProgram: program } = site;
  const against = program === undefined ? "there is no autosave program here" : reasonAgainst(site, event);
  if (against !== undefined || program === undefined) return against;
  const session = event.session ?? "";
  const root = registeredWorktree(site, event.provider, session) ?? site.root;
  if (!isPresent(root)) return "the worktree of the episode is gone";
  const reply = event.lastAssistantMessage;
  const order = leaveOrder(site.common, {
    provider: event.provider,
    session,
    root,
    transcript: event.transcriptPath ?? "",
    ...(reply === undefined ? {} : { reply: clip(reply, REPLY_CHARACTERS) }),
  });
  const child = spawn(process.execPath, [program, order], {
    cwd: site.common.root,
    detached: true,
    stdio: "ignore",
    windowsHide: true,
  });
  // A start that fails later than this hook lives is seen by the next one: the cursor has not moved.
  child.on("error", () => undefined);
  child.unref();
  return undefined;
}
