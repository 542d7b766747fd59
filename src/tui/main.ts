import { askEarly } from "./early.ts";
import { isTerminal, openTerminal, wantsColour } from "./opening.ts";
import type { ConsoleOptions } from "./options.ts";

export type { Ask, ConsoleOptions, WatchPlan } from "./options.ts";

/**
 * Runs the console until the person leaves it, or prints it once. This entry is small: the header stands
 * before the libraries that draw the rest have been loaded.
 *
 * @returns the exit status: 0, or 128 and a signal's number.
 */
export async function runConsole(options: ConsoleOptions): Promise<number> {
  const { environment, roots } = options;
  if (options.once !== true && options.plain !== true && isTerminal(environment))
    return runInteractive(options);
  const asked = options.once === true || options.plain === true;
  if (!asked) process.stderr.write("majordomus tui: no terminal here; this is what --once --plain prints\n");
  const early = { ...options, plain: options.plain === true || !asked, ask: askEarly(options.ask, roots) };
  const { printOnce } = await import("./once.tsx");
  return printOnce(early, process.stdout.isTTY && wantsColour(environment));
}

async function runInteractive(options: ConsoleOptions): Promise<number> {
  const { roots, environment, places = [], ascii = false, onWhole } = options;
  const [root = ""] = roots;
  const opened = options.opened ?? openTerminal(places[0] ?? { root }, { environment, ascii });
  const { exits } = opened;
  let isWhole = false;
  const whole = (): void => {
    if (!isWhole) onWhole?.();
    isWhole = true;
  };
  exits.whenLeft(whole);
  // A thread starts while this one still loads the libraries that draw.
  await options.ask.warm?.();
  const { startConsole } = await import("./console.tsx");
  const { stop, settled } = startConsole(options, opened);
  void settled.then(whole);
  const status = await exits.ended;
  await stop();
  return status;
}
