import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

const CLIENT = {
  name: "client",
  required: true,
  choices: ["claude-code", "codex", "gemini"],
  summary: "the AI tool",
} as const;

const mcp = defineCommand({
  path: ["mcp"],
  summary: "serve an AI tool over standard input and output (MCP), by this checkout's shared server",
  options: [
    { name: "standalone", summary: "answer in this process: no shared server, no port, no board of peers" },
  ],
  notes: [
    "AI tools start it by themselves once it is installed. Standard output belongs to the protocol; what people",
    "should know goes to standard error.",
  ],
  run: async (invocation) => {
    const { serveMcp } = await import("../actions/mcp.ts");
    return serveMcp(invocation, invocation.options);
  },
});

const install = defineCommand({
  path: ["mcp", "install"],
  summary: "have an AI tool start this server: one entry in its configuration of this repository",
  arguments: [CLIENT],
  notes: ["Codex keeps its servers in your own config.toml: for it the lines to paste are printed."],
  run: async (invocation) => {
    const { installMcp } = await import("../actions/mcp-install.ts");
    return installMcp(invocation, invocation.arguments.client);
  },
});

const uninstall = defineCommand({
  path: ["mcp", "uninstall"],
  summary: "take the entry out again; the file gets its former bytes back",
  arguments: [CLIENT],
  run: async (invocation) => {
    const { uninstallMcp } = await import("../actions/mcp-install.ts");
    return uninstallMcp(invocation, invocation.arguments.client);
  },
});

export const mcpCommands: readonly CommandDeclaration[] = [mcp, install, uninstall];
