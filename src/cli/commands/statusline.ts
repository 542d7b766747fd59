import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

const statusline = defineCommand({
  path: ["statusline"],
  summary: "what an installed status line calls: notes how full the context is, then shows yours",
  options: [{ name: "delegate", value: "command", summary: "the status line that stood there before" }],
  notes: ["Reads the status line's JSON from standard input, and always exits 0."],
  run: async (invocation) => {
    const { showStatusline } = await import("../actions/statusline.ts");
    return showStatusline(invocation, invocation.options.delegate);
  },
});

export const statuslineCommands: readonly CommandDeclaration[] = [statusline];
