import { realpathSync } from "node:fs";
import { EXIT } from "../../core/base/error.ts";
import { locateSite } from "../../core/checkout/site.ts";
import { findOnPath } from "../../core/installation/program-version.ts";
import {
  installMcp as install,
  MCP_FILES,
  uninstallMcp as uninstall,
} from "../../hooks/installer/mcp-install.ts";
import type { McpEntry } from "../../hooks/installer/mcp-entry.ts";
import type { McpClient, McpTarget } from "../../hooks/installer/mcp-install.ts";
import type { CommandContext } from "../declaration.ts";
import { usageError } from "../failure.ts";

type Client = McpClient | "codex";

const NAME = "majordomus";

function same(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return false;
  }
}

/** How a client starts us: by name where that means this program, else by where it lies on this machine. */
function entryOf({ program, surroundings }: CommandContext): McpEntry {
  const onPath = findOnPath(NAME, surroundings.environment["PATH"] ?? "");
  if (onPath !== undefined && same(onPath, program.launcher)) return { command: NAME, args: ["mcp"] };
  return { command: process.execPath, args: [program.launcher, "mcp"] };
}

function targetOf(context: CommandContext, client: McpClient): McpTarget {
  const { directory, surroundings } = context;
  const site = locateSite(directory, surroundings);
  if (site === undefined) throw usageError({ subject: directory, message: "is not inside a git work tree" });
  return { client, root: site.root, commonDirectory: site.repository.commonDir, entry: entryOf(context) };
}

function snippetOf({ command, args }: McpEntry): string[] {
  // A basic string of TOML is a string of JSON as far as paths go.
  const text = (value: string): string => JSON.stringify(value);
  return [`[mcp_servers.${NAME}]`, `command = ${text(command)}`, `args = [${args.map(text).join(", ")}]`];
}

/** Has a client start our server of MCP; for Codex, whose configuration is the person's own, prints what to paste. */
export async function installMcp(context: CommandContext, client: Client): Promise<number> {
  const { output, json } = context;
  const entry = entryOf(context);
  if (client === "codex") {
    const snippet = snippetOf(entry);
    if (json) output.json({ schema: 1, client, changes: [], snippet });
    else for (const line of snippet) output.line(line);
    return EXIT.ok;
  }
  const changes = install(targetOf(context, client));
  if (json) {
    output.json({ schema: 1, client, entry, changes });
    return EXIT.ok;
  }
  for (const { action, path } of changes) output.line(`${action.padEnd(9)} ${path}`);
  if (entry.command !== NAME) {
    output.line(
      `It names this machine's program: put \`${NAME}\` on the PATH before others get ${MCP_FILES[client]}.`,
    );
  }
  return EXIT.ok;
}

/** Takes our server out of a client's configuration again. */
export async function uninstallMcp(context: CommandContext, client: Client): Promise<number> {
  const { output, json } = context;
  if (client === "codex") {
    const line = `Take the table [mcp_servers.${NAME}] out of your config.toml.`;
    if (json) output.json({ schema: 1, client, changes: [], note: line });
    else output.line(line);
    return EXIT.ok;
  }
  const changes = uninstall(targetOf(context, client));
  if (json) output.json({ schema: 1, client, changes });
  else for (const { action, path } of changes) output.line(`${action.padEnd(9)} ${path}`);
  return EXIT.ok;
}
