import { openFirstRow } from "../tui/first-row.ts";
import { currentDirectory } from "./current-directory.ts";
import type { Start } from "./main.ts";

// The entry of the console's first bundle: its first row stands before the command line itself is loaded.

/** Opens the console's terminal where that can be told already, then runs the command line. */
export async function main(start: Start): Promise<void> {
  const opened = openFirstRow(process.argv.slice(3), {
    directory: currentDirectory(),
    environment: process.env,
  });
  const program = await import("./main.ts");
  await program.main({ ...start, ...(opened === undefined ? {} : { opened }) });
}
