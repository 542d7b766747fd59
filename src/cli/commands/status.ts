import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

const status = defineCommand({
  path: ["status"],
  summary: "this checkout at a glance; 10 when no hook reports here",
  options: [{ name: "short", summary: "one line, for a shell prompt" }],
  run: async (invocation) => {
    const { showShortStatus, showStatus } = await import("../actions/status.ts");
    return invocation.options.short ? showShortStatus(invocation) : showStatus(invocation);
  },
});

export const statusCommands: readonly CommandDeclaration[] = [status];
