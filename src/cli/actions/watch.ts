import type { ExitStatus } from "../../core/base/error.ts";
import { EXIT } from "../../core/base/error.ts";
import { watchRun } from "../../core/capabilities/doctor.ts";
import { ask } from "../ask.ts";
import type { CommandContext } from "../declaration.ts";
import { showFindings } from "../findings.ts";

/**
 * Prints what has drifted.
 *
 * @returns 11 when something has.
 */
export async function runWatch(context: CommandContext): Promise<ExitStatus> {
  const { findings } = await ask(context, watchRun, {});
  showFindings(context, findings);
  return findings.some(({ level }) => level === "DRIFT") ? EXIT.drift : EXIT.ok;
}
