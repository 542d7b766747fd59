import type { ExitStatus } from "../core/base/error.ts";
import { EXIT, MajordomusError, reasonOf } from "../core/base/error.ts";
import { failureAnswer } from "../core/capabilities/answer.ts";
import { systemError } from "../core/fs/system-error.ts";
import type { Output } from "./output.ts";

/** What people are told of an error: ours as it is, the system's and a lock's by name, anything else as unexpected. */
export function foresee(error: unknown): MajordomusError {
  if (error instanceof MajordomusError) return error;
  const system = systemError(error);
  if (system !== undefined) return system;
  if (error instanceof Error && error.name === "LockTimeout") {
    const unknown = "unknown" in error && error.unknown === true;
    const remedy = unknown
      ? "`majordomus recover orphans` can remove a lock that nobody holds any more"
      : "try again when it has ended";
    return new MajordomusError({ code: "lock.timeout", exit: EXIT.internal, message: error.message, remedy });
  }
  return new MajordomusError({
    code: "internal",
    exit: EXIT.internal,
    message: `unexpected: ${reasonOf(error)}`,
  });
}

/**
 * Reports what stopped a command, in one line or one JSON object.
 *
 * @returns the exit status that tells the truth about it; 13 for anything that nobody foresaw.
 */
export function reportFailure(
  error: unknown,
  { output, json, debug }: { output: Output; json: boolean; debug: boolean },
): ExitStatus {
  const foreseen = foresee(error);
  if (json) output.json(failureAnswer(foreseen));
  else output.warn(foreseen.line);
  if (debug && error instanceof Error) {
    for (const line of (error.stack ?? "").split("\n")) output.warn(line);
  }
  return foreseen.exit;
}

/** A mistake in how the program was called: exit status 2. */
export function usageError(facts: { message: string; subject?: string; remedy?: string }): MajordomusError {
  return new MajordomusError({ code: "usage", exit: EXIT.usage, ...facts });
}

/** A command whose words are another program's contract is not looked for behind options of ours. */
export function standsFirst(command: string): MajordomusError {
  return usageError({
    subject: command,
    message: "stands directly behind the program's name, before any option",
    remedy: `\`majordomus ${command} …\``,
  });
}
