import type { ExitStatus } from "../core/base/error.ts";
import { EXIT, MajordomusError, reasonOf } from "../core/base/error.ts";
import type { Output } from "./output.ts";

/** What `--json` shows of a failure; absent facts are left out. */
export interface FailureAnswer {
  error: { code: string; message: string; subject?: string; remedy?: string };
}

function failureAnswer(error: unknown): FailureAnswer {
  if (!(error instanceof MajordomusError)) {
    return { error: { code: "internal", message: reasonOf(error) } };
  }
  const { code, message, subject, remedy } = error;
  return {
    error: {
      code,
      message,
      ...(subject === undefined ? {} : { subject }),
      ...(remedy === undefined ? {} : { remedy }),
    },
  };
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
  const foreseen = error instanceof MajordomusError;
  if (json) output.json(failureAnswer(error));
  if (!json || !foreseen) output.warn(foreseen ? error.line : `unexpected: ${reasonOf(error)}`);
  if (debug && error instanceof Error) {
    for (const line of (error.stack ?? "").split("\n")) output.warn(line);
  }
  return foreseen ? error.exit : EXIT.internal;
}

/** A mistake in how the program was called: exit status 2. */
export function usageError(facts: { message: string; subject?: string; remedy?: string }): MajordomusError {
  return new MajordomusError({ code: "usage", exit: EXIT.usage, ...facts });
}
