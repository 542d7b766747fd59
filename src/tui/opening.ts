import type { Environment } from "./environment.ts";
import { guardExits } from "./exits.ts";
import type { Exits } from "./exits.ts";
import { drawLine, QUIET } from "./look.ts";
import { fitLine } from "./model/line.ts";
import { brandOf, dotted, placeParts } from "./model/place.ts";
import type { Place } from "./model/place.ts";
import { Screen } from "./screen.ts";

/** A terminal that is ours until it is left. */
export interface Opened {
  screen: Screen;
  exits: Exits;
  colour: boolean;
}

/** Whether escape sequences and single keys work here. */
export function isTerminal(environment: Environment): boolean {
  return process.stdout.isTTY && process.stdin.isTTY && environment["TERM"] !== "dumb";
}

export function wantsColour(environment: Environment): boolean {
  return (environment["NO_COLOR"] ?? "") === "" && environment["TERM"] !== "dumb";
}

/**
 * Takes the terminal and shows the first row in it. This and what it imports is small: it stands on the screen
 * before anything that draws the rest has been loaded.
 */
export function openTerminal(
  { root, ...place }: Pick<Place, "root"> & Partial<Place>,
  look: { environment: Environment; ascii?: boolean },
): Opened {
  const colour = wantsColour(look.environment);
  // A terminal that cannot be written to any more is gone, whether or not it says so with a signal.
  const screen = new Screen(process.stdout, process.stdin, () => process.emit("SIGHUP"));
  const exits = guardExits(screen);
  const { branch } = place;
  const parts = placeParts(root, branch === undefined ? undefined : { ...place, branch });
  const row = fitLine([...brandOf(screen.columns), ...dotted(parts)], screen.columns);
  screen.open(drawLine(row, { ...QUIET, colour, ascii: look.ascii === true }).trimEnd());
  return { screen, exits, colour };
}
