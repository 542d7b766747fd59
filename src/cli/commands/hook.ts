import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

/** Only described here: the program's start hands hooks to their own, smaller bundle. */
const hook = defineCommand({
  path: ["hook"],
  summary: "what an installed hook calls; reads the event from standard input",
  arguments: [{ name: "event", summary: "what the tool calls its event" }],
  options: [{ name: "provider", value: "name", summary: "the AI tool" }],
  notes: ["Stands directly behind the program's name, and never fails the tool that calls it."],
  run: async () => {
    const { usageError } = await import("../failure.ts");
    throw usageError({
      subject: "hook",
      message: "stands directly behind the program's name, before any option",
      remedy: "`majordomus hook …`",
    });
  },
});

export const hookCommands: readonly CommandDeclaration[] = [hook];
