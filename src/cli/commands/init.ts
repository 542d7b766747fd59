import { EXIT } from "../../core/base/error.ts";
import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

const init = defineCommand({
  path: ["init"],
  summary: "lay the .ai/ layer into this repository; commits nothing",
  options: [
    { name: "extend", summary: "add what is missing; change nothing that is there" },
    {
      name: "memory-root",
      value: "path",
      summary: "where capsules and the like shall lie, relative; .ai/local/memory when not given",
    },
  ],
  run: async (invocation) => {
    const { initialiseHere } = await import("../actions/initialise.ts");
    const { output, json, options } = invocation;
    const memoryRoot = options["memory-root"];
    const answer = await initialiseHere(invocation, {
      extend: options.extend,
      ...(memoryRoot === undefined ? {} : { memoryRoot }),
    });
    if (json) {
      output.json(answer);
      return EXIT.ok;
    }
    for (const path of answer.written) output.line(`wrote ${path}`);
    if (answer.not_ignored !== undefined) {
      const lines = answer.not_ignored.join(", ");
      output.line(
        `note: git will offer to commit what is said to an AI tool; .gitignore can keep it out: ${lines}`,
      );
    }
    if (answer.written.length === 0) output.line("nothing is missing; nothing was written");
    else
      output.line("next: look at .ai/repo/policy.yaml, commit, then `majordomus hooks install claude-code`");
    return EXIT.ok;
  },
});

export const initCommands: readonly CommandDeclaration[] = [init];
