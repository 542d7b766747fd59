import { isAbsolute, join } from "node:path";

/** Where this user's state of all repositories lies; undefined where the environment names no place for it. */
export function userStateDirectory(
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const state = environment["XDG_STATE_HOME"];
  if (state !== undefined && isAbsolute(state)) return join(state, "majordomus");
  const home = environment["HOME"];
  return home === undefined || !isAbsolute(home) ? undefined : join(home, ".local", "state", "majordomus");
}
