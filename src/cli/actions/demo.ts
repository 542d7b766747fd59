import type { ExitStatus } from "../../core/base/error.ts";
import type { CommandContext } from "../declaration.ts";
import { usageError } from "../failure.ts";
import type { DrawingOptions } from "./console.ts";

export async function openDemo(
  _context: CommandContext,
  _options: DrawingOptions & { dir: string | undefined; keep: boolean },
): Promise<ExitStatus> {
  throw usageError({ message: "this version has no demo" });
}
