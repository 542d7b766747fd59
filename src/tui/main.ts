import { basename } from "node:path";
import type { ConsoleOptions, Environment } from "./options.ts";
import { askEarly } from "./early.ts";
import { guardExits } from "./exits.ts";
import { Screen } from "./screen.ts";
import { clipCells } from "./cells.ts";
import { show } from "./model/line.ts";

export type { Ask, ConsoleOptions, WatchPlan } from "./options.ts";

/** Whether escape sequences and single keys work here. */
function isTerminal(environment: Environment): boolean {
  return process.stdout.isTTY && process.stdin.isTTY && environment["TERM"] !== "dumb";
}

function wantsColour(environment: Environment): boolean {
  return (environment["NO_COLOR"] ?? "") === "" && environment["TERM"] !== "dumb";
}

/** The header's beginning, before anything is known but the directory. */
function firstLine(roots: readonly string[], columns: number, colour: boolean): string {
  const name = clipCells(show(basename(roots[0] ?? "")), Math.max(0, columns - 14));
  return colour ? `\u001B[1;36m majordomus  \u001B[0m\u001B[1m${name}\u001B[0m` : ` majordomus  ${name}`;
}

/**
 * Runs the console until the person leaves it, or prints it once. This entry is small: the header stands
 * before the libraries that draw the rest have been loaded.
 *
 * @returns the exit status: 0, or 128 and a signal's number.
 */
export async function runConsole(options: ConsoleOptions): Promise<number> {
  const onExit = options.onExit ?? (() => undefined);
  if (isTerminal(options.environment) && options.once !== true && options.plain !== true) {
    return runInteractive(options, onExit);
  }
  const asked = options.once === true || options.plain === true;
  if (!asked) process.stderr.write("majordomus tui: no terminal here; this is what --once --plain prints\n");
  const early = {
    ...options,
    plain: options.plain === true || !asked,
    ask: askEarly(options.ask, options.roots),
  };
  const { printOnce } = await import("./once.tsx");
  const status = await printOnce(early, process.stdout.isTTY && wantsColour(options.environment));
  onExit(status);
  return status;
}

async function runInteractive(options: ConsoleOptions, onExit: (status: number) => void): Promise<number> {
  const colour = wantsColour(options.environment);
  // A terminal that cannot be written to any more is gone, whether or not it says so with a signal.
  const screen = new Screen(process.stdout, process.stdin, () => process.emit("SIGHUP"));
  const exits = guardExits(screen, onExit);
  screen.open(firstLine(options.roots, screen.columns, colour));
  const ask = askEarly(options.ask, options.roots);
  const { startConsole } = await import("./console.tsx");
  const stop = startConsole({ ...options, ask }, { screen, exits, colour });
  const status = await exits.ended;
  stop();
  return status;
}
