import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { installMcp, MCP_FILES, uninstallMcp } from "../../../src/hooks/installer/mcp-install.ts";
import type { McpClient, McpTarget } from "../../../src/hooks/installer/mcp-install.ts";
import { scratchDirectory } from "../../support/scratch.ts";

const CLIENTS = Object.keys(MCP_FILES) as McpClient[];
const ENTRY = { command: "majordomus", args: ["mcp"] };

function newTarget(client: McpClient, text?: string): McpTarget & { path: string; read: () => string } {
  const root = scratchDirectory();
  const path = join(root, MCP_FILES[client]);
  if (text !== undefined) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return {
    client,
    root,
    commonDirectory: join(root, ".git"),
    entry: ENTRY,
    path,
    read: () => readFileSync(path, "utf8"),
  };
}

const actionsOf = (changes: { action: string }[]): string[] => changes.map(({ action }) => action);

describe.each(CLIENTS)("the configuration of %s", (client) => {
  it("is made where there is none, and taken away again with its directory", () => {
    const target = newTarget(client);
    expect(actionsOf(installMcp(target))).toEqual(["created"]);
    expect(JSON.parse(target.read())).toEqual({ mcpServers: { majordomus: ENTRY } });
    expect(actionsOf(installMcp(target))).toEqual(["unchanged"]);
    expect(actionsOf(uninstallMcp(target))).toEqual(["removed"]);
    expect(existsSync(client === "gemini" ? dirname(target.path) : target.path)).toBe(false);
    expect(actionsOf(uninstallMcp(target))).toEqual(["unchanged"]);
  });

  it("keeps every byte of the others, and gets its former bytes back", () => {
    const text = '{\n\t"theme": "dark",\n\t"mcpServers": {\n\t\t"other": {"command": "x"}\n\t}\n}';
    const target = newTarget(client, text);
    installMcp(target);
    expect(target.read()).toBe(
      '{\n\t"theme": "dark",\n\t"mcpServers": {\n\t\t"other": {"command": "x"},\n\t\t"majordomus": {\n' +
        '\t\t\t"command": "majordomus",\n\t\t\t"args": [\n\t\t\t\t"mcp"\n\t\t\t]\n\t\t}\n\t}\n}',
    );
    expect(actionsOf(uninstallMcp(target))).toEqual(["restored"]);
    expect(target.read()).toBe(text);
  });

  it("loses our entry alone when it was edited since", () => {
    const target = newTarget(client, "{}\n");
    installMcp(target);
    const edited = JSON.parse(target.read()) as { mcpServers: object };
    writeFileSync(target.path, JSON.stringify({ ...edited, theme: "light" }));
    expect(actionsOf(uninstallMcp(target))).toEqual(["changed"]);
    expect(target.read()).toBe('{"theme":"light"}');
  });

  it("has its entry of ours renewed when the program lies elsewhere", () => {
    const target = newTarget(
      client,
      '{"mcpServers": {"majordomus": {"command": "/node", "args": ["/old/bin/majordomus", "mcp"]}}}\n',
    );
    expect(actionsOf(installMcp(target))).toEqual(["changed"]);
    expect(JSON.parse(target.read())).toEqual({ mcpServers: { majordomus: ENTRY } });
  });
});

describe("a configuration that is not to be edited", () => {
  it("is another program's entry under our name: refused, and left alone by uninstalling", () => {
    const text = '{"mcpServers": {"majordomus": {"command": "npx", "args": ["someone-elses"]}}}';
    const target = newTarget("claude-code", text);
    expect(() => installMcp(target)).toThrow(expect.objectContaining({ exit: 15, code: "mcp.entry" }));
    expect(actionsOf(uninstallMcp(target))).toEqual(["unchanged"]);
    expect(target.read()).toBe(text);
  });

  it("is no JSON, or servers that are a list: refused by name, unchanged", () => {
    const comments = newTarget("gemini", '{\n  // mine\n  "theme": "dark"\n}\n');
    expect(() => installMcp(comments)).toThrow(expect.objectContaining({ exit: 10 }));
    const list = newTarget("claude-code", '{"mcpServers": []}');
    expect(() => installMcp(list)).toThrow(expect.objectContaining({ exit: 15 }));
    expect(list.read()).toBe('{"mcpServers": []}');
  });
});
