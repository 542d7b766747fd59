import { EXIT, MajordomusError } from "../base/error.ts";
import { findIdentityLine } from "./work-record.ts";

/**
 * Refuses a body that claims what only git may say (records.md 1.5).
 *
 * @throws MajordomusError 10 naming the first such line.
 */
export function refuseIdentityLines(body: string): void {
  const found = findIdentityLine(body);
  if (found === undefined) return;
  throw new MajordomusError({
    code: "body.identity",
    exit: EXIT.finding,
    subject: found,
    message: "is computed from git and may not stand at the start of a line of the body",
    remedy: "indent or reword that line",
  });
}
