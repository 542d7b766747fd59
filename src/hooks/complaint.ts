import { appendFileSync, mkdirSync } from "node:fs";
import { isAbsolute, join } from "node:path";

/**
 * The last resort of a hook that could not even leave a receipt: one line in the user's state directory.
 * It must neither fail the provider nor write to a stream that the provider reads.
 */
export function complain(
  environment: Readonly<Record<string, string | undefined>>,
  at: string,
  reason: string,
): void {
  try {
    const state = environment["XDG_STATE_HOME"];
    const home = environment["HOME"];
    const directory =
      state !== undefined && isAbsolute(state)
        ? join(state, "majordomus")
        : home !== undefined && isAbsolute(home)
          ? join(home, ".local", "state", "majordomus")
          : undefined;
    if (directory === undefined) return;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    appendFileSync(join(directory, "hooks.log"), `${at} ${reason.replaceAll(/\s+/g, " ").slice(0, 1000)}\n`, {
      mode: 0o600,
    });
  } catch {
    // Nothing is left that could be told.
  }
}
