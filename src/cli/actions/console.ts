import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { ExitStatus } from "../../core/base/error.ts";
import { openCheckout } from "../../core/checkout/open.ts";
import type { Surroundings } from "../../core/checkout/checkout.ts";
import { readText } from "../../core/fs/read.ts";
import { readWatched } from "../../core/lifecycle/watched.ts";
import { parseYaml } from "../../core/text/yaml.ts";
import { runConsole } from "../../tui/main.ts";
import type { WatchPlan } from "../../tui/options.ts";
import { createPool } from "../../workers/pool.ts";
import type { CommandContext } from "../declaration.ts";
import { usageError } from "../failure.ts";

export interface DrawingOptions {
  once: boolean;
  plain: boolean;
  ascii: boolean;
  width: number | undefined;
  height: number | undefined;
}

const KEYS_BYTES = 64 * 1024;

/** The pool's entry lies beside the bundle that this code was built into, one level above its chunks. */
function workerEntry(): string {
  return fileURLToPath(new URL("../worker.mjs", import.meta.url));
}

async function watchPlan(root: string, surroundings: Surroundings): Promise<WatchPlan> {
  const checkout = await openCheckout(root, surroundings);
  return { ...readWatched(checkout), pollSeconds: checkout.settings.switches.live.poll_seconds };
}

/** The person's own keys, `.ai/local/keys.yaml` of the first repository. */
function ownKeys(local: string): unknown {
  const path = join(local, "keys.yaml");
  const text = readText(path, { maximumBytes: KEYS_BYTES });
  if (!text.ok) return undefined;
  const keys = parseYaml(text.value);
  if (keys.ok) return keys.value;
  throw usageError({ subject: path, message: keys.error });
}

/**
 * Opens the console over one or several repositories.
 *
 * @throws MajordomusError 2 and 12 as `openCheckout` says, before the terminal is touched.
 */
export async function openConsole(
  context: CommandContext,
  directories: readonly string[],
  options: DrawingOptions,
): Promise<ExitStatus> {
  const { surroundings } = context;
  const asked =
    directories.length === 0
      ? [context.directory]
      : directories.map((directory) => resolve(context.directory, directory));
  const checkouts = await Promise.all(asked.map((directory) => openCheckout(directory, surroundings)));
  const [first] = checkouts;
  const keys = first === undefined ? undefined : ownKeys(first.layout.local);
  const pool = createPool({ entry: workerEntry() });
  try {
    const status = await runConsole({
      roots: checkouts.map((checkout) => checkout.root),
      ask: pool,
      watch: (root) => watchPlan(root, surroundings),
      environment: surroundings.environment,
      clock: surroundings.clock,
      once: options.once,
      plain: options.plain,
      ascii: options.ascii,
      ...(options.width === undefined ? {} : { width: options.width }),
      ...(options.height === undefined ? {} : { height: options.height }),
      ...(keys === undefined ? {} : { keys }),
    });
    return status as ExitStatus;
  } finally {
    await pool.close();
  }
}
