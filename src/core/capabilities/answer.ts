import { EXIT, MajordomusError, reasonOf } from "../base/error.ts";
import type { ExitStatus } from "../base/error.ts";
import { systemError } from "../fs/system-error.ts";
import type { Spending } from "../capsule/spend.ts";

/** An error as plain data: own properties of an Error are lost on the way out of a worker thread. */
export interface AnswerError {
  code: string;
  exit: ExitStatus;
  message: string;
  subject?: string;
  remedy?: string;
}

/** What asking a capability gives, the same in process and from the pool. */
export type Answer =
  | {
      ok: true;
      value: unknown;
      /** What was spent for it, and is to be given back where it does not arrive; absent where nothing was. */
      spendings?: readonly Spending[];
    }
  | { ok: false; error: AnswerError };

/** What somebody gets who did not wait for the answer. */
export const CANCELLED = {
  ok: false,
  error: { code: "cancelled", exit: EXIT.internal, message: "was cancelled" },
} as const satisfies Answer;

export function answerError(error: unknown): AnswerError {
  const foreseen = error instanceof MajordomusError ? error : systemError(error);
  if (foreseen !== undefined) {
    const { code, exit, message, subject, remedy } = foreseen;
    return {
      code,
      exit,
      message,
      ...(subject === undefined ? {} : { subject }),
      ...(remedy === undefined ? {} : { remedy }),
    };
  }
  return { code: "internal", exit: EXIT.internal, message: reasonOf(error) };
}

/** The error of an answer, ready to be thrown at a surface. */
export function errorOfAnswer(error: AnswerError): MajordomusError {
  return new MajordomusError(error);
}

/** A failure as programs are shown it; absent facts are left out. */
export interface FailureAnswer {
  error: { code: string; message: string; subject?: string; remedy?: string };
}

export function failureAnswer({ code, message, subject, remedy }: MajordomusError): FailureAnswer {
  return {
    error: {
      code,
      message,
      ...(subject === undefined ? {} : { subject }),
      ...(remedy === undefined ? {} : { remedy }),
    },
  };
}
