/** Set to 1, hooks read and report and change nothing: no receipt, no episode, no record. */
const SWITCH = "MJ_SESSION_DRY_RUN";

/** Whether the hooks of this process only look. */
export function onlyLooks(environment: Readonly<Record<string, string | undefined>>): boolean {
  return environment[SWITCH] === "1";
}
