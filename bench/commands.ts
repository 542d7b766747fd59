import { BARE_NODE, compare } from "./measure.ts";
import { PROGRAM } from "./place.ts";
import { ratioRow } from "./row.ts";
import type { Bench } from "./row.ts";

export const commands: Bench = {
  name: "commands",
  run: () => [
    ratioRow("commands", "--help", 1.3, compare({ arguments: [PROGRAM, "--help"] }, BARE_NODE)),
    ratioRow("commands", "--version", 1.3, compare({ arguments: [PROGRAM, "--version"] }, BARE_NODE)),
  ],
};
