import type { ExitStatus } from "../../core/base/error.ts";
import type { CommandContext } from "../declaration.ts";
import { usageError } from "../failure.ts";

export interface ScopeOptions {
  project: boolean;
  user: boolean;
}

export async function installHooks(_context: CommandContext, _options: ScopeOptions): Promise<ExitStatus> {
  throw usageError({ message: "this version installs no hooks" });
}

export async function uninstallHooks(_context: CommandContext, _options: ScopeOptions): Promise<ExitStatus> {
  throw usageError({ message: "this version installs no hooks" });
}

export async function showHooks(_context: CommandContext): Promise<ExitStatus> {
  throw usageError({ message: "this version installs no hooks" });
}
