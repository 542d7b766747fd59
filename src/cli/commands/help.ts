import { EXIT } from "../../core/base/error.ts";
import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

const help = defineCommand({
  path: ["help"],
  summary: "help of a command",
  arguments: [{ name: "command", variadic: true, summary: "its words" }],
  run: async (invocation) => {
    const { helpOf } = await import("../actions/help.ts");
    invocation.output.block(helpOf(invocation.table, invocation.arguments.command, invocation.width()));
    return EXIT.ok;
  },
});

export const helpCommands: readonly CommandDeclaration[] = [help];
