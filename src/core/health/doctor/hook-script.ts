/** What a line of a shell script does with the program that it runs. */
export type Wiring = "runs" | "swallows" | "absent";

const COMMENT = /^\s*(?:#|$)/;
/** After `||`: whatever is done instead of failing. */
const FORGIVEN = /\|\|\s*(?:true\b|:(?:\s|$)|exit\s+0\b|echo\b|printf\b|\/bin\/true\b)/;
const PASSED_ON = /\|\|\s*(?:exit\b|return\b|fail\b|\{)/;
const GUARDED = /^\s*(?:if|while|until|elif)\b|&&\s*$/;

function invokes(line: string, program: string, words: readonly string[]): boolean {
  const name = program.split("/").at(-1) ?? program;
  const at = line.search(
    new RegExp(`(?:^|[\\s"'/(;&|])${name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?:["'\\s;&|)]|$)`),
  );
  if (at < 0) return false;
  const rest = line.slice(at);
  return words.every((word) => rest.includes(word));
}

/**
 * Reads a git hook's script as far as it tells whether the program is run and its exit status reaches git. Shell
 * is not parsed: a line that forgives a failure, sends it to the background or into a pipe swallows it, and so
 * does one that other commands follow where nothing stops the script.
 *
 * @param words arguments that must stand behind the program.
 */
export function readWiring(script: string, program: string, words: readonly string[]): Wiring {
  const lines = script
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => !COMMENT.test(line));
  const index = lines.findIndex((line) => invokes(line, program, words));
  const line = lines[index];
  if (line === undefined) return "absent";
  const before = lines.slice(0, index);
  const stops = before.some(
    (other) => /^\s*set\s+-[a-z]*e/.test(other) || /^\s*set\s+-o\s+errexit/.test(other),
  );
  const pipeFails = before.some((other) => /pipefail/.test(other));
  if (FORGIVEN.test(line) || /[^&]&\s*$/.test(line)) return "swallows";
  if (/[^|]\|[^|&]/.test(line) && !pipeFails) return "swallows";
  const handled =
    stops ||
    PASSED_ON.test(line) ||
    GUARDED.test(line) ||
    /^\s*exec\s/.test(line) ||
    index === lines.length - 1;
  // What follows may look at `$?` itself.
  return handled || lines[index + 1]?.includes("$?") === true ? "runs" : "swallows";
}
