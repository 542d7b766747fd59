import { SEARCH_KINDS } from "../../core/health/search/kinds.ts";
import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

const search = defineCommand({
  path: ["search"],
  summary: "look a text up in records and ledger; 12 when nothing holds it",
  arguments: [{ name: "text", required: true, summary: "taken literally, whatever the case of its letters" }],
  options: [
    {
      name: "kind",
      value: "K",
      choices: SEARCH_KINDS,
      repeatable: true,
      summary: "only this kind; may stand again",
    },
    { name: "task", value: "id", summary: "only what belongs to this task" },
    {
      name: "limit",
      value: "n",
      integer: { minimum: 1, maximum: 1_000_000 },
      summary: "the first so many; 10,000 when not given",
    },
  ],
  examples: [
    { command: 'majordomus search "refresh window" --kind decision', summary: "what was decided about it" },
  ],
  run: async (invocation) => {
    const { runSearch } = await import("../actions/search.ts");
    const { arguments: given, options } = invocation;
    return runSearch(invocation, {
      text: given.text,
      kinds: options.kind,
      task: options.task,
      limit: options.limit,
    });
  },
});

export const searchCommands: readonly CommandDeclaration[] = [search];
