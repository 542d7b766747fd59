import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

/** The log in the user's state directory to which a hook turns that could not even leave a receipt. */
export function lastResortLog(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const state = environment["XDG_STATE_HOME"];
  if (state !== undefined && isAbsolute(state)) return join(state, "majordomus", "hooks.log");
  const home = environment["HOME"];
  if (home === undefined || !isAbsolute(home)) return undefined;
  return join(home, ".local", "state", "majordomus", "hooks.log");
}

/** What fails at every turn must not fill a disk; one former part is kept. */
const LARGEST_BYTES = 256 * 1024;

function putAside(log: string): void {
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_BYTES) renameSync(log, `${log}.1`);
}

/**
 * The last resort of who could leave no trace where it belongs: one line in a log of the user's. It must neither fail
 * the provider nor write to a stream that the provider reads.
 *
 * @param log as `lastResortLog` names it; nothing is written where there is none.
 */
export function complain(log: string | undefined, at: string, reason: string): void {
  if (log === undefined) return;
  try {
    mkdirSync(dirname(log), { recursive: true, mode: 0o700 });
    putAside(log);
    appendFileSync(log, `${at} ${reason.replaceAll(/\s+/g, " ").slice(0, 1000)}\n`, { mode: 0o600 });
  } catch {
    // Nothing is left that could be told.
  }
}
