import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Claude Code's own directory (capsules.md 10.6): `CLAUDE_CONFIG_DIR` when it is set and not blank, else
 * `~/.claude`; undefined where neither is known.
 */
export function claudeConfigDirectory(environment: Environment): string | undefined {
  const named = environment["CLAUDE_CONFIG_DIR"];
  if (named !== undefined && named.trim() !== "") return named;
  const home = environment["HOME"];
  return home === undefined || home === "" ? undefined : join(home, ".claude");
}
