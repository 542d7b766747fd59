import type { HookInvocation } from "./normalise.ts";

/**
 * Reads a hook's command line, `hook <event> --provider <id>`. What it does not understand it ignores: a
 * hook that refuses its own arguments would fail its provider.
 */
export function readHookArguments(
  arguments_: readonly string[],
  environment: HookInvocation["environment"],
): HookInvocation & { help: boolean } {
  let provider: string | undefined;
  let event: string | undefined;
  let help = false;
  for (let index = 0; index < arguments_.length; index += 1) {
    const argument = arguments_[index] ?? "";
    if (argument === "--help" || argument === "-h") help = true;
    else if (argument === "--provider") {
      index += 1;
      provider = arguments_[index];
    } else if (argument.startsWith("--provider=")) provider = argument.slice("--provider=".length);
    else if (!argument.startsWith("-") && event === undefined) event = argument;
  }
  return {
    help,
    environment,
    ...(provider === undefined ? {} : { provider }),
    ...(event === undefined ? {} : { event }),
  };
}

export const HOOK_HELP = `Usage: majordomus hook <event> --provider <id>

Receives one event of an AI tool: the payload is JSON on standard input. Always exits 0.
Installed by \`majordomus hooks install claude-code\`; not meant to be typed.
`;
