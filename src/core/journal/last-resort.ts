import { isAbsolute, join } from "node:path";

/** The log in the user's state directory to which a hook turns that could not even leave a receipt. */
export function lastResortLog(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const state = environment["XDG_STATE_HOME"];
  if (state !== undefined && isAbsolute(state)) return join(state, "majordomus", "hooks.log");
  const home = environment["HOME"];
  if (home === undefined || !isAbsolute(home)) return undefined;
  return join(home, ".local", "state", "majordomus", "hooks.log");
}
