import { EXIT, MajordomusError } from "../base/error.ts";

/** A finding that keeps a handover or a record from travelling. */
export function refusal(code: string, subject: string, message: string, remedy?: string): MajordomusError {
  return new MajordomusError({
    code,
    exit: EXIT.finding,
    subject,
    message,
    ...(remedy === undefined ? {} : { remedy }),
  });
}
