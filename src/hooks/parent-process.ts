import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** How each provider's own program is called in the process table. */
const PROGRAMS: Readonly<Record<string, string>> = { "claude-code": "claude" };

function programOf(pid: number, platform: NodeJS.Platform): string | undefined {
  try {
    if (platform === "linux") return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
    return basename(
      execFileSync("ps", ["-o", "comm=", "-p", `${pid}`], { encoding: "utf8", timeout: 300 }).trim(),
    );
  } catch {
    return undefined;
  }
}

/**
 * The provider's own process, where its environment does not name it: our parent, but only when the process
 * table calls it by the provider's name. A hook's parent is often only a shell, and a shell proves nothing.
 */
export function providerParent(
  provider: string,
  parent: number,
  platform: NodeJS.Platform = process.platform,
): number | undefined {
  const program = PROGRAMS[provider];
  if (program === undefined || parent <= 1) return undefined;
  return programOf(parent, platform) === program ? parent : undefined;
}
