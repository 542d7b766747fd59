import type { ExitStatus } from "../../core/base/error.ts";
import type { CommandContext } from "../declaration.ts";
import { usageError } from "../failure.ts";

export interface DrawingOptions {
  once: boolean;
  plain: boolean;
  ascii: boolean;
  width: number | undefined;
  height: number | undefined;
}

export async function openConsole(
  _context: CommandContext,
  _directories: readonly string[],
  _options: DrawingOptions,
): Promise<ExitStatus> {
  throw usageError({ message: "this version has no console" });
}
