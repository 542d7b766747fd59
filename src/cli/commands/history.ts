import { EXIT } from "../../core/base/error.ts";
import { EVENTS } from "../../core/ledger/vocabulary.ts";
import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

/** What selects lines: nothing to what takes every line. */
const FILTERS = ["event", "task", "session", "branch", "text", "since", "until", "limit"] as const;

const history = defineCommand({
  path: ["history"],
  summary: "the ledger: what happened, oldest first",
  options: [
    { name: "event", value: "name", summary: "only this event" },
    { name: "task", value: "id", summary: "only lines of this task" },
    { name: "session", value: "id", summary: "only lines of this episode" },
    { name: "branch", value: "name", summary: "only lines written on this branch" },
    { name: "text", value: "text", summary: "only lines that hold this text, in any case" },
    { name: "since", value: "when", summary: "from this UTC timestamp or date on" },
    { name: "until", value: "when", summary: "up to this UTC timestamp or date" },
    {
      name: "limit",
      value: "n",
      integer: { minimum: 1, maximum: 100_000 },
      summary: "the newest so many; 200 when not given",
    },
    {
      name: "follow",
      summary: "go on, and print lines as they are appended",
      without: ["validate", "rotate"],
    },
    {
      name: "validate",
      summary: "judge every line instead; 10 when one is malformed or unknown",
      without: ["rotate", ...FILTERS],
    },
    { name: "rotate", summary: "move all but the newest lines to an archive", without: FILTERS },
  ],
  notes: [`Events: ${[...EVENTS.keys()].join(", ")}.`],
  examples: [
    {
      command: "majordomus history --event session.closed --limit 5",
      summary: "the last five closed sessions",
    },
    { command: "majordomus history --follow --json", summary: "every new line as JSON" },
  ],
  run: async (invocation) => {
    const { followHistory, rotateHistory, showHistory, validateHistory } =
      await import("../actions/history.ts");
    const { options } = invocation;
    const { follow, validate, rotate, ...filters } = options;
    if (validate) return validateHistory(invocation);
    if (rotate) return rotateHistory(invocation);
    if (follow) return followHistory(invocation, filters);
    await showHistory(invocation, filters);
    return EXIT.ok;
  },
});

export const historyCommands: readonly CommandDeclaration[] = [history];
