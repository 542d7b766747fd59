import { EXIT } from "../../core/base/error.ts";
import { openHere } from "../ask.ts";
import type { CommandContext } from "../declaration.ts";
import { whileInterruptible } from "../interruptible.ts";

/** What keeps sessions from starting a server keeps this from it, too. */
const SWITCH = "MAJORDOMUS_SERVER";

/**
 * Serves the AI tool that started this process until it closes its end.
 *
 * @throws MajordomusError 2, 10 or 12 for a checkout that cannot be opened.
 */
export async function serveMcp(
  context: CommandContext,
  { standalone }: { standalone: boolean },
): Promise<number> {
  const { output, program, surroundings } = context;
  const checkout = await openHere(context);
  const { serveClient } = await import("../../server/mcp/serve-client.ts");
  await whileInterruptible((signal) =>
    serveClient(checkout, {
      ...program,
      standalone: standalone || surroundings.environment[SWITCH] === "off",
      stdin: process.stdin,
      stdout: process.stdout,
      log: (line) => output.warn(line),
      signal,
    }),
  );
  return EXIT.ok;
}
