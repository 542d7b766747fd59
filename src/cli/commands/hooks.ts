import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

const PROVIDER = {
  name: "provider",
  required: true,
  choices: ["claude-code"],
  summary: "the AI tool",
} as const;

const SCOPES = [
  { name: "project", summary: "in the repository's own settings, for everybody who clones it" },
  { name: "user", summary: "in your own settings, for every repository" },
] as const;

const NOTES = ["Without --project or --user: on this machine alone, in every worktree of this repository."];

const install = defineCommand({
  path: ["hooks", "install"],
  summary: "have an AI tool report its sessions here",
  arguments: [PROVIDER],
  options: SCOPES,
  notes: NOTES,
  run: async (invocation) => {
    const { installHooks } = await import("../actions/hooks.ts");
    return installHooks(invocation, invocation.options);
  },
});

const uninstall = defineCommand({
  path: ["hooks", "uninstall"],
  summary: "take the hooks out again; files get their former bytes back",
  arguments: [PROVIDER],
  options: SCOPES,
  notes: NOTES,
  run: async (invocation) => {
    const { uninstallHooks } = await import("../actions/hooks.ts");
    return uninstallHooks(invocation, invocation.options);
  },
});

const status = defineCommand({
  path: ["hooks", "status"],
  summary: "where hooks are installed, and whether they are whole; 10 when they are not",
  arguments: [PROVIDER],
  run: async (invocation) => {
    const { showHooks } = await import("../actions/hooks.ts");
    return showHooks(invocation);
  },
});

export const hooksCommands: readonly CommandDeclaration[] = [install, uninstall, status];
