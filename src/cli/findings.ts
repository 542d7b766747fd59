import type { ExitStatus } from "../core/base/error.ts";
import { EXIT } from "../core/base/error.ts";
import type { Finding } from "../core/labels/terms.ts";
import type { CommandContext } from "./declaration.ts";

/** The exit status that findings ask for: 10 when one of them is not in order. */
export function statusOfFindings(findings: readonly Finding[]): ExitStatus {
  return findings.some(({ level }) => level === "FAIL" || level === "DRIFT") ? EXIT.finding : EXIT.ok;
}

/** Prints findings, one a line; as JSON one object a line (records.md 8.7). */
export function showFindings(
  { output, json }: Pick<CommandContext, "output" | "json">,
  findings: readonly Finding[],
): void {
  if (json) for (const finding of findings) output.json(finding);
  else output.findings(findings);
}
