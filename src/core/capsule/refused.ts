import { EXIT, MajordomusError } from "../base/error.ts";

/** A capsule, or a change of one, that is not taken as it is: 10, with what to do where something can be done. */
export function refused(subject: string, message: string, remedy?: string): MajordomusError {
  return new MajordomusError({
    code: "capsule.refused",
    exit: EXIT.finding,
    subject,
    message,
    ...(remedy === undefined ? {} : { remedy }),
  });
}
