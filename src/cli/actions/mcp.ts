import { EXIT } from "../../core/base/error.ts";
import { createAsking } from "../../server/asking.ts";
import { serveClient } from "../../server/mcp/stdio.ts";
import { createPool } from "../../workers/pool.ts";
import { openHere } from "../ask.ts";
import type { CommandContext } from "../declaration.ts";
import { whileInterruptible } from "../interruptible.ts";

/**
 * Serves the AI tool that started this process until it closes its end.
 *
 * @throws MajordomusError 2, 10 or 12 for a checkout that cannot be opened.
 */
export async function serveMcp(context: CommandContext): Promise<number> {
  const { root } = await openHere(context);
  const { environment } = context.surroundings;
  const pool = createPool({ entry: context.program.worker, environment });
  try {
    const ask = createAsking({ root, environment, pool });
    await whileInterruptible((signal) =>
      serveClient({
        ask,
        stdin: process.stdin,
        stdout: process.stdout,
        log: (line) => context.output.warn(line),
        signal,
      }),
    );
  } finally {
    await pool.close();
  }
  return EXIT.ok;
}
