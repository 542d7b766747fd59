import { join, resolve } from "node:path";
import { EXIT, MajordomusError } from "../../core/base/error.ts";
import type { Checkout, Surroundings } from "../../core/checkout/checkout.ts";
import { openCheckout } from "../../core/checkout/open.ts";
import { readText } from "../../core/fs/read.ts";
import { runConsole } from "../../tui/main.ts";
import type { Ask } from "../../tui/main.ts";
import type { WarmPool } from "../../workers/pool.ts";
import type { CommandContext, ProgramFiles } from "../declaration.ts";
import { usageError } from "../failure.ts";
import { planWatch } from "./watch-plan.ts";

export interface DrawingOptions {
  once: boolean;
  plain: boolean;
  ascii: boolean;
  width: number | undefined;
  height: number | undefined;
}

const MAXIMUM_KEYS_BYTES = 64 * 1024;

/** A pool that starts when it is first asked: the console's first row does not wait for it. */
function lazyPool(
  { worker, launcher }: ProgramFiles,
  { environment }: Surroundings,
): { ask: Ask; close: () => Promise<void> } {
  let started: Promise<WarmPool> | undefined;
  const pool = (): Promise<WarmPool> => {
    started ??= import("../../workers/pool.ts").then(({ createPool }) => createPool({ entry: worker }));
    return started;
  };
  return {
    ask: {
      run: async (root, id, input, options) => {
        // Hooks and servers are judged against the program that is asked, and only the surface knows where it lies.
        const whole = id === "doctor" || id === "server" ? { ...Object(input), script: launcher } : input;
        return (await pool()).run(root, id, whole, options);
      },
      giveBack: async (root, spendings) => {
        const { giveBackSpent } = await import("../../workers/give-back.ts");
        return giveBackSpent(root, environment, spendings);
      },
      warm: async () => (await pool()).warm(),
    },
    close: async () => {
      if (started !== undefined) await (await started).close();
    },
  };
}

/** The person's own keys, `.ai/local/keys.yaml` of the first repository. */
async function ownKeys(local: string): Promise<unknown> {
  const path = join(local, "keys.yaml");
  const text = readText(path, { maximumBytes: MAXIMUM_KEYS_BYTES });
  if (!text.ok && text.error.kind === "absent") return undefined;
  const { parseYaml } = await import("../../core/text/yaml.ts");
  const keys = text.ok ? parseYaml(text.value) : { ok: false as const, error: text.error.message };
  if (keys.ok) return keys.value;
  throw new MajordomusError({
    code: "keys.unreadable",
    exit: EXIT.finding,
    subject: path,
    message: keys.error,
  });
}

/** Opens each directory's checkout; one that is reached twice counts once. */
async function openRoots(
  directories: readonly string[],
  surroundings: Surroundings,
): Promise<[Checkout, ...Checkout[]]> {
  const [first = ".", ...others] = directories;
  const opened: [Checkout, ...Checkout[]] = [await openCheckout(first, surroundings)];
  for (const directory of others) {
    const checkout = await openCheckout(directory, surroundings);
    if (opened.every(({ root }) => root !== checkout.root)) opened.push(checkout);
  }
  return opened;
}

/**
 * Opens the console over one or several repositories, and waits until it is left.
 *
 * @param directories the command's own directory when there is none.
 * @throws MajordomusError 2, 10 or 12 for one that cannot be opened, before the terminal is touched.
 */
export async function openConsole(
  context: CommandContext,
  directories: readonly string[],
  options: DrawingOptions,
): Promise<number> {
  if (context.json) {
    throw usageError({
      message: "the console does not answer in JSON",
      remedy: "ask `majordomus lifecycle … --json` instead",
    });
  }
  const { directory, surroundings } = context;
  const named = directories.length === 0 ? [directory] : directories.map((path) => resolve(directory, path));
  const checkouts = await openRoots(named, surroundings);
  const keys = await ownKeys(checkouts[0].layout.local);
  const pool = lazyPool(context.program, surroundings);
  const { once, plain, ascii, width, height } = options;
  try {
    return await runConsole({
      roots: checkouts.map(({ root }) => root),
      ask: pool.ask,
      watch: (root) => planWatch(root, surroundings),
      places: checkouts.map(({ root, branch, head }) => ({ root, branch, head })),
      ...(context.opened === undefined ? {} : { opened: context.opened }),
      onWhole: () => context.program.keepCompiled?.(),
      environment: surroundings.environment,
      clock: surroundings.clock,
      once,
      plain,
      ascii,
      ...(width === undefined ? {} : { width }),
      ...(height === undefined ? {} : { height }),
      ...(keys === undefined ? {} : { keys }),
    });
  } finally {
    await pool.close();
  }
}
