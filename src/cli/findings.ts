import type { ExitStatus } from "../core/base/error.ts";
import { EXIT } from "../core/base/error.ts";
import type { Finding } from "../core/labels/terms.ts";

/** The exit status that findings ask for: 10 when one of them is not in order. */
export function statusOfFindings(findings: readonly Finding[]): ExitStatus {
  return findings.some(({ level }) => level === "FAIL" || level === "DRIFT") ? EXIT.finding : EXIT.ok;
}
