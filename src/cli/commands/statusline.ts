import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

const statusline = defineCommand({
  path: ["statusline"],
  summary: "what an installed status line calls: notes how full the context is, then shows yours",
  options: [{ name: "delegate", value: "command", summary: "the status line that stood there before" }],
  notes: [
    "Reads the status line's JSON from standard input. Always draws a line and exits 0; a word that it does not take is told on standard error.",
  ],
  run: async (invocation) => {
    const { showStatusline } = await import("../actions/statusline.ts");
    return showStatusline(invocation, invocation.options.delegate);
  },
  // A provider shows what is printed, whatever it called us with: no word of it may cost the person the line.
  literal: async (context, words) => {
    const { showLiterally } = await import("../actions/statusline.ts");
    return showLiterally(context, words);
  },
});

export const statuslineCommands: readonly CommandDeclaration[] = [statusline];
