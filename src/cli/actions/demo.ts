import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { listDirectory } from "../../core/fs/read.ts";
import type { CommandContext } from "../declaration.ts";
import { openCheckout } from "../../core/checkout/open.ts";
import { makeDemo } from "../demo/make.ts";
import { serveDemo } from "../demo/server.ts";
import type { DemoServer } from "../demo/server.ts";
import { usageError } from "../failure.ts";
import { openConsole } from "./console.ts";
import type { DrawingOptions } from "./console.ts";

interface DemoOptions extends DrawingOptions {
  dir: string | undefined;
  keep: boolean;
}

function chooseDirectory(context: CommandContext, { dir }: DemoOptions): string {
  if (dir === undefined) return mkdtempSync(join(tmpdir(), "majordomus-demo-"));
  const directory = resolve(context.directory, dir);
  if (listDirectory(directory).length > 0) {
    throw usageError({
      subject: dir,
      message: "is not empty",
      remedy: "name a directory that does not exist yet",
    });
  }
  return directory;
}

/** One line on standard error while the story is told, only where a person sees it. */
function narrate(done: number, total: number): void {
  if (process.stderr.isTTY)
    process.stderr.write(`\rmaking the demo repository: day ${Math.floor((done / total) * 5) + 1} of 5 `);
}

/**
 * Makes the demo repository and opens the console on it; afterwards it is removed, unless it is to be kept.
 *
 * @throws MajordomusError 2 for a directory that holds something.
 */
export async function openDemo(context: CommandContext, options: DemoOptions): Promise<number> {
  const directory = chooseDirectory(context, options);
  const keep = options.keep || options.dir !== undefined;
  const remove = (): void => {
    if (!keep) rmSync(directory, { recursive: true, force: true });
  };
  let server: DemoServer | undefined;
  try {
    const { root, environment } = await makeDemo(
      directory,
      context.surroundings.clock.now(),
      context.surroundings.environment,
      narrate,
    );
    if (process.stderr.isTTY) process.stderr.write("\r\u001B[K");
    // The pool's threads take this process's own environment.
    process.env["XDG_STATE_HOME"] = environment["XDG_STATE_HOME"];
    const surroundings = { ...context.surroundings, environment };
    // One frame is over before a server has come.
    if (!options.once && environment["MAJORDOMUS_SERVER"] !== "off") {
      server = serveDemo(await openCheckout(root, surroundings), context.program.launcher);
    }
    const status = await openConsole({ ...context, surroundings }, [root], options);
    if (keep) context.output.warn(`the demo repository is ${root}`);
    return status;
  } finally {
    await server?.end();
    remove();
  }
}
