import { join } from "node:path";
import { userStateDirectory } from "./user-state.ts";

/** The log in the user's state directory to which a hook turns that could not even leave a receipt. */
export function lastResortLog(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const state = userStateDirectory(environment);
  return state === undefined ? undefined : join(state, "hooks.log");
}
